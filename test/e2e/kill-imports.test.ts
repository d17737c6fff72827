// SIGKILL at random moments while clients import and repeat their imports. Every acknowledged row
// is there and whole, nobody is there twice, and `engage check` finds no problem.

import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { below, type Rng, seededRng } from '../../engine/base/rng.ts';
import { engage } from '../cli/support/engage.ts';
import { type Client, makeOrg, type RunningServer, startServer, until } from '../support/server.ts';
import { tries } from '../support/tries.ts';

const rounds = tries(6, 2);
const clientCount = 6;
const rowsPerCall = 450;
const seed = Number(process.env['ENGAGE_KILL_SEED'] ?? 20_261_130);

t.setTimeout(120_000 + rounds * 60_000); // a machine that is busy with other tests

/** Rows that travel together. Each version of them has its own tags. */
interface Rows {
  readonly name: string;
  /** The newest version that was sent, and the newest that was acknowledged; 0: none. */
  sent: number;
  acknowledged: number;
}

interface Person {
  readonly id: string;
  readonly externalUserId: string;
  readonly tags: { readonly version: number; readonly same: string };
  readonly devices: readonly { readonly channel: string; readonly endpoint: string }[];
}

const server = await startServer(t, {
  environment: { ENGAGE_MODE: 'live', ENGAGE_LOG_LEVEL: 'error' },
});
const { client: api } = await makeOrg(server, 'Imports');
const { id: app } = await api.must('POST /v1/apps', { name: 'Imports' });
const all: Rows[] = [];
let acknowledgedCalls = 0;

t.test('imports outlive kill -9 whole, and nobody is there twice', async (t) => {
  const rng = seededRng(seed);
  let cutOff = 0;
  for (let round = 0; round < rounds; round++) {
    const at = acknowledgedCalls + 4 + below(rng, 16);
    const clients = Array.from({ length: clientCount }, (_, index) =>
      importUntilKilled(`${round}-${index}`, seededRng(seed + round * clientCount + index)),
    );
    await until(() => acknowledgedCalls >= at, 'imports are not acknowledged', 60_000);
    await pause(below(rng, 60)); // anywhere within a call
    await server.kill('SIGKILL');
    await Promise.all(clients);
    cutOff += all.filter(({ sent, acknowledged }) => sent > acknowledged).length;

    await checkFindsNothing(t, server);
    await server.start();
    const found = await everybody(api);
    t.same(problemsWith(found).slice(0, 5), [], `round ${round}: what was acknowledged is there`);
    const had = new Map(found.map(({ externalUserId, id }) => [externalUserId, id]));
    let created = 0;
    for (const rows of all) created += (await send(rows)).created;
    t.equal(created, all.length * rowsPerCall - found.length, 'only missing rows are new');
    const after = await everybody(api);
    t.same(problemsWith(after).slice(0, 5), [], `round ${round}: all is there once`);
    t.equal(after.length, all.length * rowsPerCall);
    const other = after.filter(({ externalUserId, id }) => (had.get(externalUserId) ?? id) !== id);
    t.same(other.slice(0, 5), [], 'who was there is the same person');
  }
  await server.kill('SIGKILL');
  await checkFindsNothing(t, server);
  t.comment(
    JSON.stringify({ seed, calls: acknowledgedCalls, people: rowsPerCall * all.length, cutOff }),
  );
  t.ok(cutOff > 0, 'kills cut off calls');
});

/** New rows, rows that are known, and known rows with other tags, by turns. */
async function importUntilKilled(name: string, rng: Rng): Promise<void> {
  const own: Rows[] = [];
  for (;;) {
    const known = below(rng, 2) === 0 ? own[below(rng, own.length + 1)] : undefined;
    const rows = known ?? { name: `${name}-${own.length}`, sent: 0, acknowledged: 0 };
    if (known === undefined) {
      own.push(rows);
      all.push(rows);
    }
    if (known === undefined || below(rng, 2) === 0) rows.sent++;
    try {
      await send(rows);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return; // killed
    }
  }
}

class Refused extends Error {}

/** Throws when the connection breaks off. */
async function send(rows: Rows): Promise<{ readonly created: number }> {
  const { name, sent } = rows;
  const { status, json, text } = await api.call('POST /v1/import/subscribers', {
    appId: app,
    rows: Array.from({ length: rowsPerCall }, (_, index) => rowOf(name, index, sent)),
  });
  if (status !== 200 || json.created + json.updated !== rowsPerCall) throw new Refused(text);
  rows.acknowledged = sent;
  acknowledgedCalls++;
  return json;
}

function rowOf(name: string, index: number, version: number) {
  return {
    externalUserId: `${name}/${index}`,
    tags: { version, same: `of version ${version}` },
    devices: devicesOf(name, index),
  };
}

function devicesOf(name: string, index: number) {
  const place = `${name}-${index}`;
  const mail = { channel: 'email', endpoint: `p-${place}@example.com` };
  return index % 3 === 0 ? [mail, { channel: 'fcm', endpoint: `token-of-${place}` }] : [mail];
}

async function everybody(api: Client): Promise<readonly Person[]> {
  const { status, text } = await api.call(`GET /v1/apps/${app}/subscribers/export?format=jsonl`);
  if (status !== 200) throw new Error(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Sentences for what must not be. */
function problemsWith(people: readonly Person[]): readonly string[] {
  const byName = new Map(people.map((person) => [person.externalUserId, person]));
  const problems: string[] = [];
  if (byName.size < people.length) problems.push(`${people.length - byName.size} are there twice`);
  for (const { name, sent, acknowledged } of all) {
    let before = Number.POSITIVE_INFINITY;
    for (let index = 0; index < rowsPerCall; index++) {
      const person = byName.get(`${name}/${index}`);
      const version = person?.tags.version ?? 0;
      if (version < acknowledged || version > sent)
        problems.push(`${name}/${index} is of ${version}, not of ${acknowledged} to ${sent}`);
      // Slices of a call run in its order.
      if (version > before) problems.push(`${name}/${index} is newer than the row before`);
      before = version;
      if (person !== undefined && !isWhole(person, name, index))
        problems.push(`${name}/${index} is ${JSON.stringify(person)}`);
    }
  }
  return problems;
}

function isWhole(person: Person, name: string, index: number): boolean {
  const devices = person.devices.map(({ channel, endpoint }) => ({ channel, endpoint }));
  return (
    person.tags.same === `of version ${person.tags.version}` &&
    JSON.stringify(devices) === JSON.stringify(devicesOf(name, index))
  );
}

async function checkFindsNothing(t: Test, { dataDir }: RunningServer): Promise<void> {
  const { code, stdout, stderr } = await engage(['check', dataDir], {});
  t.equal(code, 0, 'engage check finds no problem');
  if (code !== 0) t.comment(stdout + stderr);
}
