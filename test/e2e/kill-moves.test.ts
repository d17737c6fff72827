// A move of thousands of people from each service whose importer is killed four times at any
// moment: in the end there are exactly the people of the export, everybody who opted out is
// suppressed, and topics are as they chose. While it runs, nobody who opted out is reachable.
// ENGAGE_MOVE_PEOPLE sets how many: without it, so many that kills fall into dozens of calls.

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { ServiceSummary } from '../../cli/import/origin-summary.ts';
import { below, seededRng } from '../../engine/base/rng.ts';
import { engage, startEngage } from '../cli/support/engage.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { type Client, makeOrg, startServer, until } from '../support/server.ts';
import { type Export, exports, type Mover, moverAt } from './move-files.ts';

const kills = 4;
const asked = process.env['ENGAGE_MOVE_PEOPLE'];
const seed = Number(process.env['ENGAGE_KILL_SEED'] ?? 20_261_201);

t.setTimeout(900_000); // a machine that is busy with other tests

t.test('a move that is killed four times ends exact', async (t) => {
  const server = await startServer(t, { environment: { ENGAGE_LOG_LEVEL: 'error' } });
  const { client: api, key } = await makeOrg(server, 'Moves');
  for (const [at, origin] of exports.entries()) {
    const people = Number(asked ?? (at === 0 ? 40_000 : 6_000));
    const { id: app } = await api.must('POST /v1/apps', { name: `From ${origin.service}` });
    const place = { api, app, settings: { ENGAGE_URL: server.url, ENGAGE_KEY: key } };
    await t.test(origin.service, (t) => killedMove(t, origin, people, place));
  }
});

interface Place {
  readonly api: Client;
  readonly app: string;
  readonly settings: Readonly<Record<string, string>>;
}

const isOut = ({ state }: Mover) => state === 'left' || state === 'bounced';

async function killedMove(t: Test, origin: Export, people: number, place: Place): Promise<void> {
  const { api, app, settings } = place;
  const movers = Array.from({ length: people }, (_, nth) => moverAt(nth));
  const right = movers.filter(({ state }) => state !== 'wrong');
  const outs = movers.filter(isOut).length;
  const directory = temporaryDirectory();
  const statePath = join(directory, 'state.json');
  const files = origin.write(directory, movers);
  const words = [`import-${origin.service}`, app, ...files, '--state', statePath];
  const done = (): number => {
    if (!existsSync(statePath)) return 0;
    const { optOuts, rows } = JSON.parse(readFileSync(statePath, 'utf8'));
    return optOuts + rows;
  };

  const rng = seededRng(seed);
  const most = Math.floor((right.length + outs) * 0.9);
  const stopsAt = Array.from({ length: kills }, () => below(rng, most));
  const reached: number[] = [];
  for (const at of stopsAt.sort((one, other) => one - other)) {
    const importer = startEngage(words, settings);
    const closed = once(importer, 'close');
    await until(() => done() > at || importer.exitCode !== null, 'nothing is sent', 120_000);
    await pause(below(rng, 40)); // anywhere within a call
    importer.kill('SIGKILL');
    await closed;
    reached.push(done());
    const { items } = await api.must(`GET /v1/apps/${app}/subscribers?limit=100&order=newest`);
    const wrong = (items as readonly Found[]).filter(
      ({ tags, devices }) =>
        isOut(moverAt(tags.nth)) && devices.some(({ suppressed }) => suppressed === null),
    );
    t.same(wrong, [], 'nobody who opted out is reachable');
  }
  const last = await engage(words, settings);
  t.equal(last.code, 1, `wrong lines are told: ${last.stderr.slice(0, 300)}`);
  const summary = JSON.parse(last.stdout) as ServiceSummary;
  t.match(summary, {
    lines: people,
    wrongLines: people - right.length,
    optOuts: { total: outs, failed: 0 },
    subscribers: { failed: 0 },
  });
  t.equal(summary.optOuts.added + summary.optOuts.known, outs);
  t.equal(summary.subscribers.created + summary.subscribers.updated, right.length);
  t.comment(JSON.stringify({ seed, reached, seconds: summary.seconds }));

  await areExact(t, origin, right, place);
  const { total } = await api.must(`GET /v1/apps/${app}/suppressions?limit=1`);
  t.equal(total, outs);
  const again = await engage(words, settings);
  t.match(JSON.parse(again.stdout), {
    optOuts: { added: 0, known: outs },
    subscribers: { created: 0, updated: right.length },
    topics: { keptOut: 0 },
  });
}

interface Found {
  readonly tags: { readonly nth: number } & Readonly<Record<string, unknown>>;
  readonly devices: readonly { readonly endpoint: string; readonly suppressed: string | null }[];
}

/** Each person once, with their address, and in the topic or out of it as the export says. */
async function areExact(
  t: Test,
  { topic }: Export,
  right: readonly Mover[],
  { api, app }: Place,
): Promise<void> {
  const { text } = await api.call(`GET /v1/apps/${app}/subscribers/export?format=jsonl`);
  const found = new Set<number>();
  let [twice, wrong] = [0, 0];
  for (const line of text.trim().split('\n')) {
    const { tags, devices } = JSON.parse(line) as Found;
    if (found.has(tags.nth)) twice++;
    found.add(tags.nth);
    const mover = moverAt(tags.nth);
    const chosen = topic === undefined ? undefined : tags[`topic.${topic}`];
    const isRight =
      devices.length === 1 &&
      devices[0]?.endpoint === mover.email &&
      chosen === (topic === undefined ? undefined : mover.topic);
    if (!isRight) wrong++;
  }
  t.equal(found.size, right.length);
  t.same([twice, wrong], [0, 0]);
}
