// A move of 100,000 people whose importer is killed four times at any moment: in the end there are
// exactly the people of the file, and everybody who opted out is suppressed. While it runs, nobody
// who opted out is reachable.

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import type { ServiceSummary } from '../../cli/import/origin-summary.ts';
import { below, seededRng } from '../../engine/base/rng.ts';
import { engage, startEngage } from '../cli/support/engage.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { makeOrg, startServer, until } from '../support/server.ts';

const people = 100_000;
const kills = 4;
const seed = Number(process.env['ENGAGE_KILL_SEED'] ?? 20_261_201);
const statuses = ['enabled', 'enabled', 'disabled', 'enabled', 'blocklisted'];

t.setTimeout(600_000); // a machine that is busy with other tests

t.test('a move that is killed four times ends exact', async (t) => {
  const server = await startServer(t, { environment: { ENGAGE_LOG_LEVEL: 'error' } });
  const { client: api, key } = await makeOrg(server, 'Moves');
  const { id: app } = await api.must('POST /v1/apps', { name: 'Moves' });
  const file = join(temporaryDirectory(), 'subscribers.csv');
  const lines = Array.from({ length: people }, (_, n) => {
    const status = statuses[n % statuses.length];
    return `p${n}@example.com,Person ${n},${status},"{""nth"": ${n}}"`;
  });
  writeFileSync(file, `email,name,status,attributes\n${lines.join('\n')}\n`);
  const settings = { ENGAGE_URL: server.url, ENGAGE_KEY: key };
  const words = ['import-listmonk', app, file, '--topics', 'ignore'];
  const statePath = `${file}.${app}.listmonk-state.json`;
  const done = (): number => {
    if (!existsSync(statePath)) return 0;
    const { optOuts, rows } = JSON.parse(readFileSync(statePath, 'utf8'));
    return optOuts + rows;
  };

  const rng = seededRng(seed);
  const all = people + people * 0.4; // rows and opt-outs
  const stopsAt = Array.from({ length: kills }, () => below(rng, Math.floor(all * 0.9)));
  const reached: number[] = [];
  for (const at of stopsAt.sort((one, other) => one - other)) {
    const importer = startEngage(words, settings);
    await until(() => done() > at || importer.exitCode !== null, 'nothing is sent', 120_000);
    await pause(below(rng, 40)); // anywhere within a call
    importer.kill('SIGKILL');
    await once(importer, 'close');
    reached.push(done());
    const { items } = await api.must(`GET /v1/apps/${app}/subscribers?limit=100&order=newest`);
    const wrong = items.filter(
      ({ tags, devices }: { tags: { nth: number }; devices: { suppressed: unknown }[] }) =>
        statuses[tags.nth % statuses.length] !== 'enabled' &&
        devices.some(({ suppressed }) => suppressed === null),
    );
    t.same(wrong, [], 'nobody who opted out is reachable');
  }
  const last = await engage(words, settings);
  t.equal(last.code, 0, last.stderr);
  const summary = JSON.parse(last.stdout) as ServiceSummary;
  t.match(summary, {
    lines: people,
    wrongLines: 0,
    optOuts: { total: people * 0.4, failed: 0 },
    subscribers: { failed: 0 },
  });
  t.equal(summary.optOuts.added + summary.optOuts.known, people * 0.4);
  t.equal(summary.subscribers.created + summary.subscribers.updated, people);
  t.comment(JSON.stringify({ seed, reached, seconds: summary.seconds }));

  const { text } = await api.call(`GET /v1/apps/${app}/subscribers/export?format=jsonl`);
  const found = new Set<number>();
  let [twice, wrong] = [0, 0];
  for (const line of text.trim().split('\n')) {
    const { externalUserId, tags, devices } = JSON.parse(line);
    if (found.has(tags.nth)) twice++;
    found.add(tags.nth);
    if (externalUserId !== `p${tags.nth}@example.com` || devices.length !== 1) wrong++;
  }
  t.equal(found.size, people);
  t.same([twice, wrong], [0, 0]);
  const { total } = await api.must(`GET /v1/apps/${app}/suppressions?limit=1`);
  t.equal(total, people * 0.4);
  const again = await engage(words, settings);
  t.match(JSON.parse(again.stdout), {
    optOuts: { added: 0, known: people * 0.4 },
    subscribers: { created: 0, updated: people },
  });
});
