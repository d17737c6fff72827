// A shard as the process hosts it, in this thread, on real files: what it knows survives a restart through a checkpoint,
// and reads of events go from the log to history without a gap.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { EventsReply } from '../../actors/events/list.ts';
import { hostShard } from '../../actors/host.ts';
import type { CheckpointRequest, ShardData } from '../../actors/protocol.ts';
import type { CheckpointResult } from '../../actors/tasks.ts';
import type { Message } from '../../engine/actor/message.ts';
import { Router } from '../../engine/actor/router.ts';
import { inlineHost } from '../../engine/thread/host.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';

async function start(dataDir: string) {
  const data: ShardData = {
    index: 0,
    shards: 1,
    partitions: 2,
    dispatchers: 0,
    dataDir,
    erasuresDir: undefined,
    backupDays: 30,
    masterKey: Buffer.alloc(32, 7).toString('base64'),
    publicUrl: 'http://engage.test',
    logLevel: 'error',
    available: ['email'],
    credentialsRequired: false,
    allowHttpEndpoints: true,
  };
  const host = inlineHost(hostShard, data, []);
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
  return { host, ask, checkpoint };
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
    beforeSeq = Number.parseInt(page.nextCursor, 36);
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
    t.same(await track(shard, app, ['f', 'g']), { accepted: 2, rejected: 0, errors: [] });
    t.same(await idsOf(shard, app), ['g', 'f', 'e', 'd', 'c', 'b', 'a']);
    await shard.host.close();
  },
);
