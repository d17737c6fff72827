// A shard as the process hosts it, in this thread, on real files: what it knows survives a restart
// through a checkpoint, and reads of events go from the log to history without a gap.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { EventsReply } from '../../../actors/events/read/pool-read.ts';
import { placeOfCursor } from '../../../actors/list-cursor.ts';
import { factsByKind } from '../../../actors/runtime/facts.ts';
import { hostShard } from '../../../actors/runtime/host.ts';
import type { CheckpointRequest, ShardData } from '../../../actors/runtime/protocol.ts';
import type { CheckpointResult } from '../../../actors/runtime/tasks.ts';
import { accountsApplies } from '../../../actors/tenants/accounts/apply.ts';
import { sandboxSenders } from '../../../actors/tenants/accounts/sender.ts';
import { encodeBlock } from '../../../engine/actor/block.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { Router } from '../../../engine/actor/router.ts';
import { inlineHost } from '../../../engine/thread/host.ts';
import { inlinePorts, type Port } from '../../../engine/thread/link.ts';
import { threadItself } from '../../../engine/thread/wire.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { openPartition } from '../../../storage/environment.ts';
import { readErasures } from '../../../storage/erasures.ts';
import { commitTurn } from '../../conformance/store.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

async function start(dataDir: string, dispatchers: readonly Port[] = []) {
  const data: ShardData = {
    index: 0,
    shards: 1,
    partitions: 2,
    dispatchers: dispatchers.length,
    dataDir,
    erasuresDir: undefined,
    backupDays: 30,
    masterKey: Buffer.alloc(32, 7).toString('base64'),
    publicUrl: 'http://engage.test',
    logLevel: 'error',
    hasRelay: true,
    credentialsRequired: false,
    charges: false,
    senders: sandboxSenders,
    allowHttpEndpoints: true,
  };
  const host = inlineHost(hostShard, data, dispatchers);
  await host.ready;
  const router = new Router({ partitions: 2, shards: [host.port], clock: systemClock });
  const value = async <Reply>(answer: ReturnType<Router['ask']>): Promise<Reply> => {
    const found = await answer;
    if (!found.ok) throw new Error(found.fault.message);
    return found.value as Reply;
  };
  const ask = <Reply>(to: number, kind: string, body: object = {}, bytes?: Uint8Array) =>
    value<Reply>(
      router.ask(to, { kind, by: -1, ...body } as Message, bytes === undefined ? {} : { bytes }),
    );
  const checkpoint = (partition: number) => {
    const request: CheckpointRequest = { kind: 'thread.checkpoint', partition };
    return value<CheckpointResult>(router.askShard(0, request));
  };
  const thread = (kind: string) => value<unknown>(router.askShard(0, { kind } as Message));
  return { host, ask, checkpoint, thread };
}

type Shard = Awaited<ReturnType<typeof start>>;

async function anApp({ ask }: Shard): Promise<number> {
  const { org } = await ask<{ org: { ordinal: number } }>(6, 'org.create', {
    orgId: 'org_00000000000000000000000000',
    name: 'Acme',
    parentOrgId: null,
    key: {
      id: 'key_00000000000000000000000000',
      keyId: '000000000000',
      secretHash: Buffer.alloc(32),
    },
  });
  const app = await ask<{ ordinal: number }>(org.ordinal, 'app.create', {
    name: 'Shop',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  return app.ordinal;
}

const track = ({ ask }: Shard, app: number, ids: readonly string[]) =>
  ask(
    app,
    'events.ingest',
    { keyless: false },
    Buffer.from(
      JSON.stringify({ events: ids.map((id) => ({ id, name: 'visit', externalUserId: 'ana' })) }),
    ),
  );

async function idsOf({ ask }: Shard, app: number): Promise<string[]> {
  const ids: string[] = [];
  for (let beforeSeq: number | undefined; ; ) {
    const query = { limit: 2, ...(beforeSeq === undefined ? {} : { beforeSeq }) };
    const page = await ask<EventsReply>(app, 'events.list', { query });
    ids.push(...page.items.map(({ id }) => id));
    if (page.nextCursor === null) return ids;
    beforeSeq = placeOfCursor('events', app, page.nextCursor) ?? 0;
  }
}

t.test(
  'a shard starts again from its checkpoint and the log, and shows every event once',
  async (t) => {
    const dataDir = temporaryDirectory();
    let shard = await start(dataDir);
    const app = await anApp(shard);
    const partition = app % 2; // an app's partition, with two of them
    await track(shard, app, ['a', 'b', 'c']);
    t.same(await idsOf(shard, app), ['c', 'b', 'a']);
    t.match(await shard.checkpoint(partition), { outcome: 'made', events: 3, problems: [] });
    await track(shard, app, ['d', 'e']);
    t.same(await idsOf(shard, app), ['e', 'd', 'c', 'b', 'a']);
    t.match(await shard.checkpoint(partition), { outcome: 'made', events: 2 });
    await track(shard, app, ['f', 'a']);
    await shard.host.close();

    const directory = join(dataDir, 'partitions', `0${partition}`, 'checkpoints');
    t.equal(readdirSync(directory).length, 2);
    shard = await start(dataDir);
    t.match(await shard.ask(app, 'app.read'), { name: 'Shop' });
    t.same(await track(shard, app, ['f', 'g']), {
      accepted: 2,
      rejected: 0,
      errors: [],
      keylessCreated: 0,
      repeated: 1,
      namesBrought: 0,
    });
    t.same(await idsOf(shard, app), ['g', 'f', 'e', 'd', 'c', 'b', 'a']);
    await shard.host.close();
  },
);

t.test(
  'an app with an entry of a later release is quarantined, its log kept, and that release takes it up',
  async (t) => {
    const dataDir = temporaryDirectory();
    let shard = await start(dataDir);
    const app = await anApp(shard);
    const partition = app % 2;
    await shard.checkpoint(partition);
    await shard.host.close();
    const store = openPartition({ dataDir, partition, partitions: 2, nowMs: 0, onFatal: t.fail });
    const entry = { kind: 'app.of_tomorrow', owner: app, name: 'Shop of tomorrow' };
    const seq = store.durableSeq + 1;
    await commitTurn(store, seq, [], encodeBlock({ atMs: systemClock.now(), entries: [entry] }));
    await store.close();

    for (let starts = 0; starts < 2; starts++) {
      shard = await start(dataDir);
      await t.rejects(shard.ask(app, 'app.read'), /quarantined/);
      await t.rejects(shard.checkpoint(partition), new RegExp(`partition ${partition}.*${app}`));
      await shard.host.close();
    }

    Object.assign(accountsApplies, {
      'app.of_tomorrow': (
        state: { apps: Map<number, { record: { name: string } }> },
        { owner, name }: typeof entry,
      ) => {
        const found = state.apps.get(owner);
        if (found !== undefined) found.record = { ...found.record, name };
      },
    });
    Object.assign(factsByKind, { 'app.of_tomorrow': factsByKind['app.swept'] });
    t.teardown(() => {
      Reflect.deleteProperty(accountsApplies, 'app.of_tomorrow');
      Reflect.deleteProperty(factsByKind, 'app.of_tomorrow');
    });
    shard = await start(dataDir);
    t.match(await shard.ask(app, 'app.read'), { name: 'Shop of tomorrow' });
    await shard.host.close();
  },
);

t.test(
  'who is erased while the list cannot be written gets onto it, and no checkpoint comes before',
  async (t) => {
    const dataDir = temporaryDirectory();
    const shard = await start(dataDir);
    const app = await anApp(shard);
    const subscriber = { externalUserId: 'ana' };
    const upserted = await shard.ask<{ subscriber: { id: string } }>(app, 'subscriber.upsert', {
      subscriber,
    });
    const { id } = upserted.subscriber;
    const lists = join(dataDir, 'erasures');
    rmSync(lists, { recursive: true }); // it has the web push key of the app
    writeFileSync(lists, 'the disk is not mounted');
    await shard.ask(app, 'subscriber.erase', { ref: { id } });
    await t.rejects(
      shard.checkpoint(app % 2),
      /1 erased people or changed keys, secrets and opt-outs are not on the lists/,
    );
    rmSync(lists);
    await until(() => readErasures(lists) !== undefined);
    t.match(readErasures(lists), [{ app, subscriberId: id }]);
    t.match(await shard.checkpoint(app % 2), { outcome: 'made' });
    await shard.host.close();
  },
);

t.test('a shard is quiet only when what it has started was granted', async (t) => {
  const [inside, outside] = inlinePorts(setImmediate);
  const order: string[] = [];
  outside.on('message', () => order.push('granted'));
  const shard = await start(temporaryDirectory(), [inside]);
  const app = await anApp(shard);
  const devices = [{ channel: 'email', endpoint: 'ana@example.com' }];
  const subscriber = { externalUserId: 'ana', devices };
  await shard.ask(app, 'subscriber.upsert', { subscriber });
  for (let n = 1; n <= 5; n++) {
    const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: `Order ${n}` };
    const accepted = shard.ask(app, 'transactional.accept', { request, claim: null });
    if (n < 5) {
      await accepted;
      continue;
    }
    // The turn has run and its commit is under way when the shard is told.
    for (let ticks = 0; ticks < 4; ticks++) await new Promise((resolve) => setImmediate(resolve));
    await shard.thread('thread.quiesce').then(() => order.push('quiet'));
    await accepted;
  }
  await until(() => order.length === 6);
  t.same(order, ['granted', 'granted', 'granted', 'granted', 'granted', 'quiet']);
  outside.postMessage({
    items: [[threadItself, 0, { kind: 'dispatch.ended' }]],
    spans: [],
    body: undefined,
    large: [],
    spent: [],
  });
  await shard.host.close();
});

/** Looks again, with the event loop turning, for five seconds at most. */
async function until(isSo: () => boolean): Promise<void> {
  for (const endMs = systemClock.monotonic() + 5_000; !isSo() && systemClock.monotonic() < endMs; )
    await new Promise((resolve) => setImmediate(resolve));
}
