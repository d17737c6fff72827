// What a check finds: nothing in a directory that lived through anything, and each planted fault by
// its own sentence.

import '../../../../engine/base/plain-msgpack.ts';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { open } from 'lmdb';
import t from 'tap';
import { checkActivePeople } from '../../../../actors/runtime/check/active-people.ts';
import { checkMemory } from '../../../../actors/runtime/check/memory.ts';
import { checkPartition } from '../../../../actors/runtime/check/partition.ts';
import { Problems } from '../../../../actors/runtime/check/problems.ts';
import { runCheck } from '../../../../actors/runtime/check/run.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { partitionPath } from '../../../../storage/environment.ts';
import { filesBelow } from '../../../../storage/files.ts';
import { decodeKey, encodeKey } from '../../../../storage/keys.ts';
import { PartitionSnapshot } from '../../../../storage/partition-snapshot.ts';
import { type Rows, seqKey } from '../../../../storage/rows.ts';
import {
  liveActivities,
  liveActivitiesOfPeople,
} from '../../../../storage/tables/live-activity.ts';
import { messages } from '../../../../storage/tables/message.ts';
import { deadLetters, sends } from '../../../../storage/tables/send.ts';
import {
  aliases,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../../storage/tables/suppression.ts';
import { templates } from '../../../../storage/tables/template.ts';
import {
  webhookChunks,
  webhookDeliveries,
  webhookDues,
} from '../../../../storage/tables/webhook.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { livedIn } from '../../../support/lived-in.ts';
import type { TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';
import { aDestination } from '../../integrations/webhooks/webhook-world.ts';

/** Checks it with the clock of those who lived in it: retention goes by it. */
const check = (dataDir: string, one: TestPartition) =>
  checkPartition(
    { dataDir, level: 'all' },
    0,
    { ...systemClock, now: () => one.clock.nowMs },
    () => undefined,
  );

t.test(
  'a directory that lived through anything has no problem, whenever checkpoints were made',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), async (seed) => {
        const dataDir = temporaryDirectory();
        const rng = seededRng(seed, 'steps');
        const steps = Array.from({ length: 1 + below(rng, 4) }, () => below(rng, 40));
        const one = await livedIn(dataDir, { seed, steps });
        const report = await check(dataDir, one);
        t.same(report.problems, [], `seed ${seed}`);
        t.ok(report.folds >= 1, 'memory was built');
        const { counted = 0, metered = -1 } = report.active ?? {};
        t.ok(counted <= metered, 'erasures take events away, and nothing from the meter');
        t.equal(report.newestSeq, one.partition.seq);
      }),
      { seed: 11, numRuns: tries(8) },
    );
  },
);

t.test('a meter that has other people than the stored events is found', async (t) => {
  const dataDir = temporaryDirectory();
  const { clock } = await livedIn(dataDir, { seed: 3, steps: [30, 30] });
  const snapshot = new PartitionSnapshot(partitionPath(dataDir, 0));
  t.teardown(() => snapshot.close());
  const { state } = checkMemory(snapshot, new Problems(), () => undefined);
  if (state === undefined) throw new Error('memory was built');
  const recount = (problems: Problems) =>
    checkActivePeople(snapshot, state, clock.nowMs, problems, () => undefined);
  const sound = new Problems();
  const before = recount(sound);
  t.same(sound.sentences, []);
  const apps = [...state.apps.values()];
  const app = apps.find(({ monthlyActive }) => monthlyActive.count(utcMonthOf(clock.nowMs)) > 0);
  if (app === undefined) throw new Error('nobody was active');
  const lost = app.monthlyActive.count(utcMonthOf(clock.nowMs));
  const active = app.monthlyActive.peopleIn(clock.nowMs);
  active.andNot(active.clone());
  const found = new Problems();
  const after = recount(found);
  t.same(after, { ...before, metered: before.metered - lost }, 'it reports both figures');
  t.equal(found.count, 1);
  const { month } = before;
  const said = `${app.record.id}: the meter has 0 active people in ${month}, and the stored events`;
  // Fewer than the meter had: some were erased.
  t.match(found.sentences[0], new RegExp(`^${said} have [1-9]\\d*$`));
});

t.test('two checkpoints and the log they cover are folded and found the same', async (t) => {
  const dataDir = temporaryDirectory();
  const one = await livedIn(dataDir, { seed: 3, steps: [30, 30, 30] });
  const report = await check(dataDir, one);
  t.same(report.problems, []);
  t.equal(report.checkpoints, 2);
  t.ok(report.folds >= 2, `${report.folds} folds`);
  t.ok(report.historyFiles > 0);
});

t.test('who edited an org, or an app, is no stranger’s row', async (t) => {
  const dataDir = temporaryDirectory();
  const last = async (one: TestPartition, app: number) => {
    const org = one.product.state.apps.get(app)?.record.org ?? 0;
    const actor = 'key_of_an_editor';
    await one.value(org, 'org.rename', { name: 'Another', actor } as never);
    await one.value(app, 'settings.patch', { patch: { timezone: 'Asia/Tokyo' }, actor } as never);
  };
  const one = await livedIn(dataDir, { seed: 3, steps: [5], last });
  t.same((await check(dataDir, one)).problems, []);
});

t.test('a campaign’s sends that wait in the outbox need no record', async (t) => {
  const dataDir = temporaryDirectory();
  const one = await livedIn(dataDir, {
    seed: 5,
    steps: [1],
    last: async (one, app) => {
      const devices = ['a', 'b'].map((endpoint) => ({ channel: 'fcm' as const, endpoint }));
      await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana', devices } });
      const message = { content: { title: 'Hi', body: 'News' } };
      const { id: messageId } = await one.value(app, 'message.create', { message });
      const { id } = await one.value(app, 'campaign.create', {
        input: { messageId, channels: ['fcm'] },
      });
      await one.value(app, 'campaign.send', { id });
      await one.settle();
    },
  });
  const waiting = [...one.product.state.apps.values()].flatMap(({ outbox }) => [
    ...outbox.jobs.values(),
  ]);
  t.ok(waiting.some(({ origin }) => origin !== undefined));
  t.same((await check(dataDir, one)).problems, []);
});

/**
 * A person who was merged from another, with two devices, an opt-out, a dead letter, a send that
 * waits, a message shown.
 */
async function known(one: TestPartition, app: number): Promise<void> {
  const tokenKey = new Uint8Array(32);
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana' } });
  const { clientToken } = await one.value(app, 'sdk.login', { login: { tokenKey } });
  const activity = { activityType: 'Delivery', pushToken: 'ab'.repeat(80) };
  await one.value(app, 'live_activity.register', { clientToken, activity });
  const login = { tokenKey, clientToken, externalUserId: 'ana' };
  await one.value(app, 'sdk.login', { login });
  await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ana',
      devices: [
        { channel: 'email', endpoint: 'ana@example.com' },
        { channel: 'fcm', endpoint: 'token-of-ana-0123456789' },
      ],
    },
  });
  await one.value(app, 'suppression.add', {
    channel: 'email',
    address: 'ben@example.com',
    source: 'api',
  });
  one.takeGrants();
  const request = {
    to: { externalUserId: 'ana' },
    title: 'Hi',
    body: 'there',
    channels: ['fcm'] as const,
  };
  const failing = await one.value(app, 'transactional.accept', { request, claim: null });
  for (let hour = 0; hour < 26; hour++) {
    for (const grant of one.takeGrants()) {
      await one.ask(app, 'dispatch.report', {
        channel: grant.channel,
        reports: grant.attempts.map(({ target, attempt: { sendId, attempt } }) => ({
          sendId,
          target,
          attempt,
          outcome: { outcome: 'ambiguous', reason: 'interrupted' },
        })),
      });
    }
    await one.advance(hourMs);
  }
  const view = await one.value(app, 'transactional.read', { id: failing.id });
  if (view.failures.open !== 1) throw new Error('there is no dead letter to look for');
  await one.value(app, 'transactional.accept', { request, claim: null });
  const message = await one.value(app, 'message.create', { message: { content: { body: 'x' } } });
  await one.value(app, 'inapp.create', { input: { messageId: message.id } });
  for (const name of ['one', 'two'])
    await one.value(app, 'template.create', { name, content: { body: 'x' } });
  const change = { name: 'three', content: {}, removed: [] };
  await one.value(app, 'template.update', { template: 'two', change, actor: 'key_x' });
  await one.value(app, 'destination.put', { type: 'webhook', input: aDestination });
  await one.value(app, 'destination.test', { type: 'webhook' });
}

interface Planting {
  readonly documents: Rows;
  readonly log: Rows;
  readonly path: string;
  /** The app with the person of `known`. */
  readonly app: number;
  /** The key of the newest document of a table. */
  newest(table: { readonly id: number }): Buffer;
}

function changeDevices(
  { documents, newest }: Planting,
  changed: (devices: SubscriberRow['devices']) => SubscriberRow['devices'],
): unknown {
  const key = newest(subscribers);
  const row = subscribers.decode(documents.get(key) as Buffer, key);
  const record = subscribers.encode({ ...row, devices: changed(row.devices) });
  return documents.put(key, Buffer.from(record));
}

const faults: readonly {
  readonly name: string;
  readonly plant: (at: Planting) => unknown;
  readonly found: RegExp;
}[] = [
  {
    name: 'an endpoint missing from the index',
    plant: (at) =>
      changeDevices(at, (devices) => devices.map((one) => ({ ...one, endpoint: 'b@x.example' }))),
    found: /the endpoint of dev_\w+ is not in the index/,
  },
  {
    name: 'an endpoint of no device',
    plant: (at) => changeDevices(at, (devices) => devices.slice(1)),
    found: /memory has \d+ endpoints, but there are \d+ records/,
  },
  {
    name: 'an endpoint at rest that earlier builds left',
    plant: ({ documents, app }) =>
      documents.put(
        Buffer.from(encodeKey(endpoints.id, app, ['fcm', new Uint8Array(16)])),
        Buffer.from(endpoints.encode({ person: 0, deviceId: 'dev_x' })),
      ),
    found: /the former table of endpoints has one of fcm/,
  },
  {
    name: 'a message that is longer than what the storage quota counts',
    plant: ({ documents, newest }) => {
      const key = newest(messages);
      const row = messages.decode(documents.get(key) as Buffer, key);
      return documents.put(key, Buffer.from(messages.encode({ ...row, name: 'longer' })));
    },
    found: /memory counts \d+ bytes of content, but the rows have \d+/,
  },
  {
    name: 'a person whose record is gone',
    plant: ({ documents, newest }) => documents.remove(newest(subscribers)),
    found: /memory has \d+ people, but there are \d+ records/,
  },
  {
    name: 'a record of a person whom memory does not have',
    plant: ({ documents, newest, app }) => {
      const key = newest(subscribers);
      const row = subscribers.decode(documents.get(key) as Buffer, key);
      const stranger = subscribers.encode({ ...row, person: 7777 });
      return documents.put(
        Buffer.from(encodeKey(subscribers.id, app, [7777])),
        Buffer.from(stranger),
      );
    },
    found: /person 7777: the record is of someone who is missing in memory/,
  },
  {
    name: 'an alias whose record is gone',
    plant: ({ documents, newest }) => documents.remove(newest(aliases)),
    found: /memory has 1 aliases, but there are 0 records/,
  },
  {
    name: 'an alias of somebody else',
    plant: ({ documents, newest }) => {
      const key = newest(aliases);
      const row = aliases.decode(documents.get(key) as Buffer, key);
      return documents.put(key, Buffer.from(aliases.encode({ ...row, into: 9999 })));
    },
    found: /alias \d+: is an alias of person 9999, but memory disagrees/,
  },
  {
    name: 'an opt-out whose record is gone',
    plant: ({ documents, newest }) => documents.remove(newest(suppressions)),
    found: /memory has 1 opt-outs, but there are 0 records/,
  },
  {
    name: 'a message whose record is gone',
    plant: ({ documents, newest }) => documents.remove(newest(messages)),
    found: /memory counts 1 messages, but there are 0 records/,
  },
  {
    name: 'an in-app message that shows nothing',
    plant: ({ documents, newest }) => documents.remove(newest(messages)),
    found: /iam_\w+ shows the message msg_\w+, which has no record/,
  },
  {
    name: 'a message under the name of another',
    plant: ({ documents, newest, app }) => {
      const key = newest(messages);
      return documents.put(
        Buffer.from(encodeKey(messages.id, app, ['msg_x'])),
        documents.get(key) as Buffer,
      );
    },
    found: /the message msg_\w+ is stored under msg_x/,
  },
  {
    name: 'a template whose record is gone',
    plant: ({ documents, newest }) => documents.remove(newest(templates)),
    found: /memory has 2 template handles, but there are 1 records/,
  },
  {
    name: 'a template under another handle than memory has',
    plant: ({ documents, newest }) => {
      const key = newest(templates);
      const row = templates.decode(documents.get(key) as Buffer, key);
      return documents.put(key, Buffer.from(templates.encode({ ...row, name: 'two' })));
    },
    found: /the handle of tpl_\w+ points nowhere/,
  },
  {
    name: 'a dead letter that is gone',
    plant: ({ documents, newest }) => documents.remove(newest(deadLetters)),
    found: /ntf_\w+ counts 1 open and 0 recovered dead letters more than exist/,
  },
  {
    name: 'a waiting send without its record',
    plant: ({ documents, newest }) => documents.remove(newest(sends)),
    found: /ntf_\w+ is queued, but has no record/,
  },
  {
    name: 'a Live Activity that its person does not have',
    plant: ({ documents, newest }) => documents.remove(newest(liveActivitiesOfPeople)),
    found: /the Live Activity la_\w+ is not in the list of person \d+/,
  },
  {
    name: 'a Live Activity that is gone',
    plant: ({ documents, newest }) => documents.remove(newest(liveActivities)),
    found: /the list of person \d+ has the Live Activity la_\w+, which belongs to someone else/,
  },
  {
    name: 'events of a webhook delivery that are gone',
    plant: ({ documents, newest }) => documents.remove(newest(webhookChunks)),
    found: /webhook deliveries of \S+ have no events/,
  },
  {
    name: 'a webhook delivery that is gone',
    plant: ({ documents, newest }) => documents.remove(newest(webhookDeliveries)),
    found: /the integration webhook has 0 open deliveries, not 1/,
  },
  {
    name: 'an open webhook delivery that is never due',
    plant: ({ documents, newest }) => documents.remove(newest(webhookDues)),
    found: /are open, but nothing says when they are due/,
  },
  {
    name: 'documents of nobody',
    plant: ({ documents }) =>
      documents.put(
        Buffer.from(encodeKey(endpoints.id, 4097 * 77, ['fcm'])),
        Buffer.from(endpoints.encode({ person: 1, deviceId: 'd' })),
      ),
    found: /documents of owner \d+, which is unknown in memory/,
  },
  {
    name: 'a document of an unknown table',
    plant: ({ documents }) => documents.put(Buffer.from([250, 0, 0, 0, 1]), Buffer.from([1])),
    found: /unknown table 250/,
  },
  {
    name: 'a changed byte in a document',
    plant: ({ documents, newest }) =>
      documents.put(newest(subscribers), flipped(documents.get(newest(subscribers)))),
    found: /table subscribers: fails its checksum/,
  },
  {
    name: 'a changed byte in a log block',
    plant: ({ log }) => {
      const seq = newestOf(log);
      return log.put(seq, flipped(log.get(seq)));
    },
    found: /log block fails its checksum/,
  },
  {
    name: 'a log block that is missing',
    plant: ({ log }) => {
      const newest = newestOf(log).readUInt32BE(4);
      return log.remove(seqKey(newest - 1));
    },
    found: /log blocks (\d+) to \1 are missing/,
  },
  {
    name: 'a changed byte in a checkpoint',
    plant: ({ path }) => {
      const folder = join(
        path,
        'checkpoints',
        readdirSync(join(path, 'checkpoints')).sort().at(-1) ?? '',
      );
      return flipIn(join(folder, 'runtime.bin'));
    },
    found: /checkpoint .*runtime\.bin fails its checksum/,
  },
  {
    name: 'a changed byte in history',
    plant: async ({ path }) => {
      const files = (await filesBelow(join(path, 'history'))).map((file) =>
        join(path, 'history', file),
      );
      for (const file of files) flipIn(file);
    },
    found: /history .+\.ev2 fails its checksum/,
  },
];

t.test('each planted fault is found, by its own sentence', async (t) => {
  const sound = temporaryDirectory();
  let app = 0;
  const one = await livedIn(sound, {
    seed: 21,
    steps: [20, 20, 10],
    last: async (partition, first) => {
      app = first;
      await known(partition, first);
    },
  });
  t.same((await check(sound, one)).problems, []);
  for (const { name, plant, found } of faults) {
    const dataDir = temporaryDirectory();
    cpSync(sound, dataDir, { recursive: true });
    await planted(dataDir, app, plant);
    const report = await check(dataDir, one);
    t.match(report.problems.join('\n'), found, name);
    t.not(report.problemCount, 0, name);
  }
});

t.test(
  'a damaged file ends the child that reads it, and the check goes on with the next',
  async (t) => {
    const dataDir = temporaryDirectory();
    await livedIn(dataDir, { seed: 5, steps: [40] });
    const path = join(partitionPath(dataDir, 0), 'data.mdb');
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 8192); // every page but the two that say where the others are
    writeFileSync(path, bytes);
    const reports = await runCheck({ dataDir, partitions: [0, 1], level: 'all' });
    t.equal(reports.length, 2);
    t.match(reports[0], { partition: 0, problemCount: /[1-9]/ });
    t.match(reports[1], { partition: 1, problems: [/holds no partition/] });
  },
);

async function planted(
  dataDir: string,
  app: number,
  plant: (at: Planting) => unknown,
): Promise<void> {
  const path = partitionPath(dataDir, 0);
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Uint8Array>({ path, overlappingSync: false, maxDbs: 4, ...binary });
  const documents: Rows = root.openDB<Buffer, Uint8Array>('documents', binary);
  const log: Rows = root.openDB<Buffer, Uint8Array>('log', binary);
  const newest = ({ id }: { readonly id: number }): Buffer => {
    const found = [...documents.getKeys()].filter(
      (key) => key[0] === id && decodeKey(key).owner === app,
    );
    return Buffer.from(found.at(-1) as Uint8Array);
  };
  await plant({ documents, log, path, app, newest });
  await root.close();
}

function newestOf(log: Rows): Buffer {
  return Buffer.from([...log.getKeys()].at(-1) as Uint8Array);
}

function flipped(bytes: Buffer | undefined): Buffer {
  const copy = Buffer.from(bytes as Buffer);
  copy[copy.length - 1] = (copy.at(-1) as number) ^ 1;
  return copy;
}

function flipIn(path: string): void {
  writeFileSync(path, flipped(readFileSync(path)));
}
