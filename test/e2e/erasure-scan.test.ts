// A person is erased from a running server; then every record, every file and every route is
// searched for traces, also after two checkpoints and after a restore of an earlier backup. A
// neighbor with the same data must be found.

import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { makeCheckpoint } from '../../actors/runtime/folding.ts';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { systemRng } from '../../engine/base/rng.ts';
import { partitionsIn } from '../../storage/backup.ts';
import { manifestsOf } from '../../storage/checkpoint.ts';
import { openPartition, partitionPath } from '../../storage/environment.ts';
import { engage } from '../cli/support/engage.ts';
import { countInFile, scanFiles, scanRecords, type Trace } from '../support/personal-traces.ts';
import { client, eventually, makeOrg, startServer, until } from '../support/server.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

t.setTimeout(300_000); // some starts, and a machine that is busy with other tests

/** Read at each start. */
const environment = { ...shiftedClock(), ENGAGE_PARTITIONS: '2' };
const server = await startServer(t, { environment });
const sandbox = client(server.sandboxUrl);
const org = await makeOrg(server, 'Acme');
const api = org.client;
const app = await api.must('POST /v1/apps', { name: 'Shop', timezone: 'UTC' });
const base = `/v1/apps/${app.id}`;

/** What only this person can have left behind. */
const victim = { word: 'victimq7z', phone: '4155550171' };
const neighbor = { word: 'neighborq7z', phone: '4155550172' };
const markers = Object.values(victim);
const theirs = Object.values(neighbor);

/** Everything that a server learns of somebody, through every door. */
async function leaveTraces({ word, phone }: typeof victim, round: number): Promise<void> {
  const externalUserId = `${word}-id`;
  await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    timezone: 'Asia/Bangkok',
    tags: { first_name: `${word}-name`, likes: [`${word}-like`], [`${word}-key`]: true },
    devices: [
      { channel: 'email', endpoint: `${word}@example.com` },
      { channel: 'fcm', endpoint: `${word}-token-0123456789` },
      { channel: 'sms', endpoint: `+1${phone}` },
    ],
  });
  await api.must('POST /v1/import/subscribers', {
    appId: app.id,
    rows: [{ externalUserId, tags: { imported: `${word}-imported` } }],
  });
  await sandbox.must('POST /control/sms/inbound', {
    from: `+1${phone}`,
    body: `please stop sending me these, says ${word}`,
    url: `${server.url}/v1/webhooks/twilio/sms-inbound/${app.id}`,
  });
  const events = [0, 1, 2, 9].map((daysAgo) => ({
    name: 'order',
    externalUserId,
    id: `${word}-event-${round}-${daysAgo}`,
    at: new Date(Date.now() - daysAgo * dayMs - 1_000).toISOString(),
    props: { note: `${word}-props` },
    deviceId: `${word}-device`,
    messageId: `${word}-message`,
  }));
  const tracked = await api.must('POST /e', { appId: app.id, events });
  t.equal(tracked.accepted, 4);
  for (const ttlSeconds of [3_600, 0]) {
    const sent = await api.call(
      `POST ${base}/notifications`,
      {
        externalUserId,
        title: `Hello {{ first_name }}`,
        body: 'About {{ thing }}',
        variables: { thing: `${word}-variable` },
        // One try: what the provider refuses is a dead letter.
        ...(ttlSeconds === 0 ? { ttlSeconds, channels: ['fcm'] } : {}),
      },
      { 'idempotency-key': `${word}-key-${round}-${ttlSeconds}` },
    );
    t.equal(sent.status, 202, sent.text);
    sends.push(sent.json.id);
    await eventually(async () => {
      const { status } = await api.must(`GET ${base}/notifications/${sent.json.id}`);
      return status === 'pending' ? undefined : status;
    }, 'a send does not end');
  }
}

const sends: string[] = [];

/** Checkpoints of all partitions, as the server makes them; it must be down. */
async function checkpointAll(): Promise<void> {
  const nowMs = Date.now() + Number(environment.TEST_CLOCK_MS);
  const partitions = partitionsIn(server.dataDir);
  for (const partition of partitions) {
    const store = openPartition({
      dataDir: server.dataDir,
      partition,
      partitions: partitions.length,
      nowMs,
      onFatal: (error) => t.fail(error.message),
    });
    const made = makeCheckpoint({
      path: store.path,
      partition,
      source: store,
      nowMs,
      tableKey: newHashKey(systemRng()),
      sweep: true,
      onProblem: (problem) => t.fail(problem),
    });
    if (made.outcome === 'made') while ((await store.dropBlocks(made.dropThrough, 1_000)) > 0);
    await store.close();
  }
}

/**
 * Starts it so much later, and stops it when it has made a checkpoint of each partition, since it
 * was time for one.
 */
async function liveAgainAfter(ms: number): Promise<void> {
  const newest = () =>
    partitionsIn(server.dataDir).map(
      (partition) => manifestsOf(partitionPath(server.dataDir, partition))[0]?.generation ?? 0,
    );
  const before = newest();
  environment.TEST_CLOCK_MS = String(Number(environment.TEST_CLOCK_MS) + ms);
  await server.start();
  await until(
    () => newest().every((generation, i) => generation > (before[i] ?? 0)),
    () => `no checkpoint is made: ${before} and ${newest()}`,
    30_000,
  );
  await server.stop();
}

/**
 * LMDB's files are looked at apart; the lists of erased people hold ids, and must; what the
 * sandbox's people got is theirs.
 */
const isRead = (path: string) => !/\.(mdb|sock)$|\/(erasures|sandbox)\//.test(path);

interface Found {
  readonly records: readonly Trace[];
  readonly files: readonly Trace[];
  /** How often one of the words stands in LMDB's files. */
  readonly inDatabase: number;
}

async function scan(dataDir: string, words: readonly string[]): Promise<Found> {
  const records: Trace[] = [];
  let inDatabase = 0;
  for (const partition of partitionsIn(dataDir)) {
    const path = partitionPath(dataDir, partition);
    const { traces, rows, parts } = await scanRecords(path, words);
    t.ok(rows + parts > 0, 'there is something to look at');
    records.push(...traces);
    inDatabase += countInFile(join(path, 'data.mdb'), words);
  }
  return {
    records,
    files: scanFiles(dataDir, words, (path) => !isRead(path)),
    inDatabase,
  };
}

/** What every route that shows people says, in one text. */
async function allThatIsShown(segment: string): Promise<string> {
  const lines = [
    `GET ${base}/subscribers?limit=200`,
    `GET ${base}/subscribers?segmentId=${segment}`,
    `GET ${base}/subscribers/export?format=csv`,
    `GET ${base}/subscribers/export?format=jsonl`,
    `GET ${base}/events?limit=200`,
    `GET ${base}/dead-letters?limit=200`,
    `GET ${base}/suppressions?limit=200`,
    `GET ${base}/suppressions/doubtful?limit=200`,
    ...sends.map((id) => `GET ${base}/notifications/${id}?story=true`),
  ];
  const texts: string[] = [];
  for (const line of lines) texts.push((await api.call(line)).text);
  const filter = { event: 'order', withinDays: 30 };
  const preview = { filter, sample: 20 };
  texts.push((await api.call(`POST ${base}/segments/preview`, preview)).text);
  return texts.join('\n');
}

const places = (traces: readonly Trace[]) => [...new Set(traces.map(({ place }) => place))];
const backup = join(dirname(server.dataDir), 'backup');
let segment = '';
let id = '';

t.test('before, the scan finds everybody in every place', async (t) => {
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'shop@example.com' } });
  for (const { word } of [victim, neighbor])
    await sandbox.must('POST /control/faults', {
      channel: 'fcm',
      match: word,
      fault: 'status',
      value: 503,
    });
  const filter = { all: [{ event: 'order', withinDays: 30, atLeast: 2 }, { channel: 'fcm' }] };
  segment = (await api.must(`POST ${base}/segments`, { name: 'Buyers', filter })).id;
  for (const one of [victim, neighbor]) await leaveTraces(one, 1);
  await server.stop();
  await checkpointAll();
  await server.start();
  for (const one of [victim, neighbor]) await leaveTraces(one, 2); // in the log alone
  t.equal((await api.must(`GET ${base}/segments/${segment}/count`)).count, 2);
  id = (await api.must(`GET ${base}/subscribers/external:${victim.word}-id`)).id;
  const shown = await allThatIsShown(segment);
  for (const marker of markers) t.ok(shown.includes(marker));

  const backedUp = await engage(['backup', backup], { ENGAGE_DATA_DIR: server.dataDir });
  t.equal(backedUp.code, 0, backedUp.stderr);
  const { records, files, inDatabase } = await scan(backup, [...markers, id]);
  for (const place of [
    'documents: subscribers',
    'documents: sends',
    'documents: dead letters',
    'log: events.tracked',
    'log: opt_out.doubted',
    'history',
  ])
    t.ok(places(records).includes(place), place);
  t.ok(files.length > 0 && inDatabase > 0);
});

t.test('from the turn of the erasure on no route shows anything of them', async (t) => {
  t.equal((await api.call(`DELETE ${base}/subscribers/${id}`)).status, 204);
  const shown = await allThatIsShown(segment);
  for (const marker of markers) t.notOk(shown.includes(marker), marker);
  for (const marker of theirs) t.ok(shown.includes(marker), marker);
  for (const who of [id, `external:${victim.word}-id`])
    t.equal((await api.call(`GET ${base}/subscribers/${who}`)).status, 404);
  t.match(await api.must(`GET ${base}/segments/${segment}/count`), { count: 1, total: 1 });
  await server.kill('SIGKILL');
  environment.TEST_CLOCK_MS = String(7 * hourMs);
  await server.start();
  const again = await allThatIsShown(segment);
  for (const marker of markers) t.notOk(again.includes(marker), `${marker}, after a kill`);
});

async function provesErasure(t: Test, what: string): Promise<void> {
  await liveAgainAfter(7 * hourMs);
  await checkpointAll();
  // two are kept, each with the files it lists; the log goes behind the older
  await checkpointAll();
  const { records, files, inDatabase } = await scan(server.dataDir, [...markers, id]);
  t.same(places(records), [], `${what}: no record`);
  t.same(places(files), [], `${what}: no file`);
  t.comment(`${what}: ${inDatabase} times in free pages of LMDB`);
  const others = await scan(server.dataDir, theirs);
  t.ok(places(others.records).includes('documents: subscribers'), 'the neighbor is there');
  t.ok(places(others.records).includes('history'), 'with the events');
  const check = await engage(['check', '--json'], { ENGAGE_DATA_DIR: server.dataDir });
  t.equal(check.code, 0, check.stdout);
}

t.test('a day later no record and no file holds anything of them', async (t) => {
  await server.stop();
  await provesErasure(t, 'after the erasure');
});

t.test('a backup from before brings nothing of them back', async (t) => {
  const lost = `${server.dataDir}.lost`;
  renameSync(server.dataDir, lost);
  mkdirSync(server.dataDir, { mode: 0o700 });
  for (const kept of ['master-key', 'bootstrap-token', 'erasures'])
    cpSync(join(lost, kept), join(server.dataDir, kept), { recursive: true });
  const restored = await engage(['restore', backup, '--resend', 'none'], {
    ENGAGE_DATA_DIR: server.dataDir,
  });
  t.equal(restored.code, 0, restored.stderr);
  t.ok(existsSync(server.dataDir));
  const brought = await scan(server.dataDir, markers);
  t.ok(places(brought.records).includes('documents: subscribers'), 'the backup has them');
  await server.start();
  t.equal((await api.call(`GET ${base}/subscribers/${id}`)).status, 404, 'when it first serves');
  const shown = await allThatIsShown(segment);
  for (const marker of markers) t.notOk(shown.includes(marker), marker);
  for (const marker of theirs) t.ok(shown.includes(marker), marker);
  await server.stop();
  await provesErasure(t, 'after the restore');
});
