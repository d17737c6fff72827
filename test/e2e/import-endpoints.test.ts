// The README's import, as it stands, into a server that runs: the sample's people are there with
// their devices and tags, and a second import updates them. Then a larger one, whose server and
// importer are both killed on the way: resumed, it comes to the same people as one that ran
// through.

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { request } from 'undici';
import type { ImportSummary } from '../../cli/import/summary.ts';
import { exportOf } from '../../sandbox/endpoint-export.ts';
import { engage, startEngage } from '../cli/support/engage.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { root } from '../support/places.ts';
import { makeOrg, startServer, until } from '../support/server.ts';

t.setTimeout(240_000); // a machine that is busy with other tests

t.test("the tour's import brings the sample in, and again", async (t) => {
  const tour = readFileSync(join(root, 'docs/TOUR.md'), 'utf8');
  const words = /node dist\/cli\/main\.js (import-endpoints) "\$ENGAGE_APP" (\S+)/.exec(tour);
  t.ok(words, 'the tour has the command');
  const server = await startServer(t);
  const env = await demo(server.dataDir);
  const file = join(temporaryDirectory(), 'sample.gz'); // the state goes beside it
  await copyFile(join(root, words?.[2] ?? ''), file);
  const run = async (): Promise<ImportSummary> => {
    const { code, stdout, stderr } = await engage([words?.[1] ?? '', env.app, file], {
      ENGAGE_URL: server.url,
      ENGAGE_KEY: env.key,
    });
    t.equal(code, 0, stderr);
    return JSON.parse(stdout) as ImportSummary;
  };
  const first = await run();
  const { devices, skipped } = first;
  const { opted_out = 0, address_superseded = 0, address_missing = 0 } = devices.leftOut;
  const sentence =
    `${first.lines} lines with ${first.subscribers.created} people, ${devices.imported} devices to import, ` +
    `${opted_out + address_superseded + address_missing} devices to leave out (${opted_out} opted out, ` +
    `${address_superseded} superseded, ${address_missing} without an address), ` +
    `and ${skipped.total} lines to skip, five for each of five reasons.`;
  t.ok(tour.replace(/\s+/g, ' ').includes(sentence), sentence);
  t.same(Object.values(skipped.reasons), [5, 5, 5, 5, 5]);
  const second = await run();
  t.equal(first.subscribers.failed, 0);
  t.equal(first.subscribers.updated, 0);
  t.equal(second.subscribers.created, second.withoutUserId);
  t.equal(second.subscribers.updated, first.subscribers.created - first.withoutUserId);

  const answer = await request(`${server.url}/v1/apps/${env.app}/subscribers/external:user-16`, {
    headers: { authorization: `Bearer ${env.key}` },
  });
  t.match(await answer.body.json(), {
    externalUserId: 'user-16',
    tags: { first_name: String, age: String, plan: String, language: String },
    timezone: String,
    devices: [{ channel: String }],
  });
});

t.test(
  'killed with its server in the middle and resumed, it comes to the same people',
  async (t) => {
    const server = await startServer(t);
    const org = await makeOrg(server, 'Import');
    const [whole, broken] = await Promise.all(
      ['Whole', 'Broken'].map(
        async (name) => (await org.client.must('POST /v1/apps', { name })).id,
      ),
    );
    const lines = [...exportOf(8_000, 3)];
    const thirds = [lines.slice(0, 4_000), lines.slice(4_000, 9_000), lines.slice(9_000)];
    const file = join(temporaryDirectory(), 'export.gz');
    // Three members, as when parts of an export are joined with cat.
    writeFileSync(file, Buffer.concat(thirds.map((part) => gzipSync(`${part.join('\n')}\n`))));
    const settings = { ENGAGE_URL: server.url, ENGAGE_KEY: org.key };
    const through = await engage(['import-endpoints', whole, file], settings);
    t.equal(through.code, 0, through.stderr);
    const expected = JSON.parse(through.stdout) as ImportSummary;
    t.equal(expected.lines, lines.length);

    const importer = startEngage(['import-endpoints', broken, file], settings);
    const statePath = `${file}.${broken}.import-state.json`;
    const rows = () =>
      existsSync(statePath) ? JSON.parse(readFileSync(statePath, 'utf8')).rows : 0;
    await until(() => rows() > 0 || importer.exitCode !== null, 'nothing is acknowledged', 60_000);
    // what is out now has an answer or not, and may be done either way
    await server.kill('SIGKILL');
    importer.kill('SIGKILL');
    await once(importer, 'close');
    const kept = rows();
    const people = expected.subscribers.created;
    t.ok(kept > 0 && kept < people, `${kept} of ${people} rows were acknowledged`);
    await server.start();
    const resumed = await engage(['import-endpoints', broken, file], settings);
    t.equal(resumed.code, 0, resumed.stderr);
    const summary = JSON.parse(resumed.stdout) as ImportSummary;
    t.equal(summary.resumedAt, kept);
    t.same(summary.skipped, expected.skipped, 'counts are of the whole export, not of the rest');
    t.same(summary.devices, expected.devices);
    t.equal(summary.subscribers.failed, 0);
    const { created, updated } = summary.subscribers;
    t.equal(created + updated, people, 'every row was acknowledged once');

    const of = async (app: string) => {
      const { text } = await org.client.call(`GET /v1/apps/${app}/subscribers/export?format=jsonl`);
      return text
        .trim()
        .split('\n')
        .map((line) => withoutTimes(JSON.parse(line)));
    };
    const [all, again] = await Promise.all([of(whole), of(broken)]);
    const named = (rows: readonly Exported[]) =>
      rows
        .filter(({ externalUserId }) => externalUserId !== null)
        .map((row) => JSON.stringify(row))
        .sort();
    t.ok(named(all).length > 7_000);
    t.strictSame(named(again), named(all));
    // Who has no user id cannot be known again: as many as before, and those of batches whose
    // answer was lost once more.
    const nameless = again.length - named(again).length;
    const twice = nameless - expected.withoutUserId;
    t.ok(
      twice >= 0 && twice <= expected.withoutUserId,
      `${twice} people without an id came in twice`,
    );
  },
);

interface Exported {
  readonly externalUserId: string | null;
  readonly devices: readonly Readonly<Record<string, unknown>>[];
}

/** A person of an export without what differs from app to app and from run to run. */
function withoutTimes(row: Exported & Readonly<Record<string, unknown>>): Exported {
  const { id: _id, createdAt: _created, updatedAt: _updated, devices, ...rest } = row;
  const kept = devices.map(({ id, createdAt, updatedAt, ...device }) => device);
  return { ...rest, devices: kept } as Exported;
}

async function demo(dataDir: string): Promise<{ readonly app: string; readonly key: string }> {
  for (let tries = 0; ; tries++) {
    try {
      const text = readFileSync(join(dataDir, 'demo.env'), 'utf8');
      const app = /ENGAGE_APP=(\S+)/.exec(text)?.[1];
      const key = /ENGAGE_KEY=(\S+)/.exec(text)?.[1];
      if (app !== undefined && key !== undefined) return { app, key };
    } catch (error) {
      if (tries > 200) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50)); // made once it serves
  }
}
