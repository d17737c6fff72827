// Shards as members of a cluster, with the whole product on real files: who owns a partition takes
// messages, a standby has all of it when it takes over, and a copy that is late is made anew.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { DispatchGrant } from '../../../actors/sending/outbox/protocol.ts';
import { encodeBlock } from '../../../engine/actor/block.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { encodeTurnFrame } from '../../../engine/log/frame.ts';
import { LogReader } from '../../../engine/log/log-reader.ts';
import { inlinePorts, type Port } from '../../../engine/thread/link.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { anApp, TestCluster } from './support/shard-cluster.ts';

function person(externalUserId: string) {
  return { subscriber: { externalUserId, devices: [] } };
}

async function hasPeople(world: TestCluster, app: number, names: readonly string[]) {
  const found = [];
  for (const externalUserId of names)
    if ((await world.ask(app, 'subscriber.read', { ref: { externalUserId } })).ok)
      found.push(externalUserId);
  return found;
}

t.test('one member owns all partitions', async (t) => {
  const world = new TestCluster(2);
  const only = world.start('only');
  await world.settled(1);
  t.same(
    only.owners?.map(({ partition, member, address }) => [partition, member, address]),
    [
      [0, 'only', 'only'],
      [1, 'only', 'only'],
    ],
    'the front hears it',
  );
  const app = await anApp(world, 1);
  await world.value(app, 'subscriber.upsert', person('ana'));
  t.same(await hasPeople(world, app, ['ana', 'bo']), ['ana']);
  await world.close();
});

t.test('what was acknowledged is there after the owner has died', async (t) => {
  const world = new TestCluster(3);
  for (const name of ['a', 'b', 'c']) world.start(name);
  await world.settled();
  const app = await anApp(world, 1);
  const names = Array.from({ length: 40 }, (_, n) => `person ${n}`);
  const acknowledged: string[] = [];
  const dead = world.ownerOf(1);
  const lossesBefore = (await dead?.cluster())?.losses ?? 0;
  for (const [n, name] of names.entries()) {
    if (n === 20 && dead !== undefined) dead.isCut = true;
    await world.value(app, 'subscriber.upsert', person(name));
    acknowledged.push(name);
  }
  const owner = world.ownerOf(1);
  t.not(owner?.name, dead?.name, 'a standby has taken over');
  t.same(await hasPeople(world, app, names), acknowledged);

  // The one of before answers nothing meanwhile, and folds again once it can read the log.
  const read = { ref: { externalUserId: 'person 0' } };
  t.match(await dead?.ask(app, 'subscriber.read', read), { ok: false, fault: { code: 'moved' } });
  if (dead !== undefined) dead.isCut = false;
  await world.until(async () => (await dead?.role(1)) === 'standby', 'the fenced owner folds');
  t.match(await dead?.ask(app, 'subscriber.read', read), { ok: false, fault: { code: 'moved' } });
  t.ok(((await dead?.cluster())?.losses ?? 0) > lossesBefore);

  // And it may own it again, with all of it.
  await world.until(() => world.ownerOf(1) === dead, 'the plan gives it back');
  t.same(await hasPeople(world, app, names), acknowledged);
  await world.close();
});

t.test('a member that ends hands over what it owns', async (t) => {
  const world = new TestCluster(2, 5);
  for (const name of ['a', 'b']) world.start(name);
  await world.settled();
  const app = await anApp(world, 0);
  await world.value(app, 'subscriber.upsert', person('ana'));
  const before = world.ownerOf(0);
  let isOver = false;
  const unanswered: string[] = [];
  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      const name = `meanwhile ${n}`;
      unanswered.push(name);
      await world.value(app, 'subscriber.upsert', person(name));
      unanswered.pop();
    }
    return unanswered;
  })();
  await before?.close();
  world.nodes.delete(before?.name ?? '');
  const endedMs = world.time.monotonic();
  const [other] = world.live;
  await world.until(async () => {
    const { copies = [] } = (await other?.cluster()) ?? {};
    return copies.every(({ role }) => role === 'owner');
  }, 'the other one owns everything');
  t.ok(world.time.monotonic() - endedMs < 2_000, 'nobody had to be missed first');
  isOver = true;
  t.same(await writing, [], 'every write is answered');
  await world.close();
});

t.test('a member that ends while the log is away leaves nobody waiting', async (t) => {
  const world = new TestCluster(1);
  const only = world.start('only');
  await world.settled(1);
  const app = await anApp(world, 0);
  only.isCut = true;
  const asked = only.ask(app, 'subscriber.upsert', person('ana'));
  await world.time.wait(200);
  await only.close();
  t.match(
    await asked,
    { ok: false, fault: { code: 'unanswered' } },
    'nobody knows what became of it',
  );
});

t.test('a drained member has nothing left, and its files are gone', async (t) => {
  const world = new TestCluster(3);
  for (const name of ['a', 'b', 'c']) world.start(name);
  await world.settled();
  const app = await anApp(world, 2);
  await world.value(app, 'subscriber.upsert', person('ana'));
  const drained = world.nodes.get('b');
  await drained?.thread({ kind: 'thread.drain', isDraining: true });
  await world.until(async () => (await drained?.cluster())?.isEmpty === true, 'it is empty');
  t.same(await hasPeople(world, app, ['ana']), ['ana']);
  await world.until(
    () =>
      [0, 1, 2].every((nn) => !existsSync(join(drained?.dataDir ?? '', 'partitions', `0${nn}`))),
    'the files are gone',
  );
  await drained?.thread({ kind: 'thread.drain', isDraining: false });
  await world.until(async () => (await drained?.cluster())?.isEmpty === false, 'it has some again');
  await world.settled();
  t.same(await hasPeople(world, app, ['ana']), ['ana']);
  await world.close();
});

t.test('a copy for which the log has no more is made anew from another one', async (t) => {
  const world = new TestCluster(1);
  world.start('a');
  await world.settled(1);
  const app = await anApp(world, 0);
  for (const name of ['ana', 'bo']) await world.value(app, 'subscriber.upsert', person(name));
  await world.nodes.get('a')?.thread({ kind: 'thread.checkpoint', partition: 0 });
  await world.value(app, 'subscriber.upsert', person('cy'));
  await world.until(async () => {
    const { position = 0 } = (await world.nodes.get('a')?.cluster())?.copies[0] ?? {};
    return position === world.streams[0]?.newest;
  }, 'the owner has read all');
  world.streams[0]?.trim(world.streams[0].newest);
  const late = world.start('b');
  await world.settled();
  await world.value(app, 'subscriber.upsert', person('di'));
  const { position } = (await late.cluster()).copies[0] ?? {};
  t.ok((position ?? 0) > 0);
  const first = world.nodes.get('a');
  if (first !== undefined) first.isCut = true;
  await world.until(() => world.ownerOf(0) === late, 'the late copy owns the partition');
  t.same(await hasPeople(world, app, ['ana', 'bo', 'cy', 'di']), ['ana', 'bo', 'cy', 'di']);
  await world.close();
});

t.test('threads of one node are members with files of their own', async (t) => {
  const world = new TestCluster(4);
  const [dataDir, other] = [temporaryDirectory(), temporaryDirectory()];
  for (const index of [0, 1]) {
    world.start(`a.${index}`, { dataDir, thread: { index, shards: 2, node: 'a' } });
    world.start(`b.${index}`, { dataDir: other, thread: { index, shards: 2, node: 'b' } });
  }
  await world.settled();
  const app = await anApp(world, 3);
  await world.value(app, 'subscriber.upsert', person('ana'));
  for (const [index, name] of ['a.0', 'a.1'].entries()) {
    const { copies = [] } = (await world.nodes.get(name)?.cluster()) ?? {};
    t.equal(copies.length, 2, 'each has its share');
    for (const { partition } of copies)
      t.ok(existsSync(join(dataDir, `shard-${index}`, 'partitions', `0${partition}`, 'data.mdb')));
  }
  t.ok(existsSync(join(dataDir, 'partitions')), 'commands see that there is data');
  for (const node of world.nodes.values()) if (node.name.startsWith('a')) node.isCut = true;
  await world.until(async () => {
    const { owners = [] } = (await world.nodes.get('b.0')?.cluster()) ?? {};
    return owners.filter(({ member }) => member.startsWith('b')).length === 4;
  }, 'the other node has a copy of everything');
  t.same(await hasPeople(world, app, ['ana']), ['ana']);
  await world.close();
});

/** A dispatcher that notes what it gets. */
function aDispatcher(): { inside: Port; got: Message[]; report(...item: unknown[]): void } {
  const [inside, outside] = inlinePorts(setImmediate);
  const got: Message[] = [];
  outside.on('message', (frame) => {
    for (const item of (frame as { items: Message[] }).items) got.push(item);
  });
  const report = (...item: unknown[]) =>
    outside.postMessage({ items: [item], spans: [], body: undefined, large: [], spent: [] });
  return { inside, got, report };
}

t.test('a partition moves once the outcome of every call is known', async (t) => {
  const world = new TestCluster(1, 5);
  const dispatchers = new Map(['a', 'b'].map((name) => [name, aDispatcher()] as const));
  for (const [name, { inside }] of dispatchers) world.start(name, { dispatchers: [inside] });
  await world.settled();
  const app = await anApp(world, 0);
  const devices = [{ channel: 'email', endpoint: 'ana@example.com' }];
  await world.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana', devices } });
  const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: 'Order 7' };
  await world.value(app, 'transactional.accept', { request, claim: null });
  const owner = world.ownerOf(0);
  const dispatcher = dispatchers.get(owner?.name ?? '');
  const grantOf = () => dispatcher?.got.find(({ kind }) => kind === 'dispatch.grant');
  await world.until(() => grantOf() !== undefined, 'a call is granted');
  const { partition: address, channel, attempts } = grantOf() as DispatchGrant;
  const heard: (true | undefined)[] = [];
  owner?.onOwners(([one]) => heard.push(one?.isHeld));
  await owner?.thread({ kind: 'thread.drain', isDraining: true });
  await world.until(() => heard.includes(true), 'its front holds requests');
  await world.until(() => heard.at(-1) === undefined, 'and gives up, for a call is under way');
  t.equal(world.ownerOf(0), owner);
  await world.value(app, 'subscriber.upsert', person('bo'));

  const [granted] = attempts;
  const told = { sendId: granted?.attempt.sendId, target: granted?.target, attempt: 1 };
  const reports = [{ ...told, outcome: { outcome: 'accepted' } }];
  dispatcher?.report(address, app, { kind: 'dispatch.report', by: -1, channel, reports });
  await world.until(() => world.ownerOf(0) !== owner, 'it moves');
  t.ok(
    dispatcher?.got.some((one) => one.kind === 'dispatch.disowned' && 'partition' in one),
    'what was granted before it moved is of no use',
  );
  const again = dispatchers.get(world.ownerOf(0)?.name ?? '');
  await world.value(app, 'subscriber.upsert', person('cy'));
  t.notOk(
    again?.got.some(({ kind }) => kind === 'dispatch.grant'),
    'nothing is sent twice',
  );
  await world.close();
});

t.test('a standby that cannot fold what it reads stops, and says so', async (t) => {
  const world = new TestCluster(1);
  for (const name of ['a', 'b']) world.start(name);
  await world.settled();
  const app = await anApp(world, 0);
  const owner = world.ownerOf(0);
  const standby = world.live.find((node) => node !== owner);
  if (owner === undefined || standby === undefined) return;
  owner.isCut = true;
  await world.until(async () => {
    const { position = 0 } = (await standby.cluster()).copies[0] ?? {};
    return position === world.streams[0]?.newest;
  }, 'the standby has read all');
  // A turn of the owner's that was on its way, of a build that knows more kinds.
  const stream = world.streams[0];
  const reader = new LogReader();
  for (const { position, bytes } of stream?.read(0, Number.MAX_SAFE_INTEGER) ?? [])
    reader.take(position, bytes);
  const { term, writer, seq, sum: before, position } = reader.place;
  const block = encodeBlock({ atMs: 1, entries: [{ kind: 'app.of_tomorrow', owner: app }] });
  const head = { kind: 'turn', term, writer, seq: seq + 1, before, epoch: 1 } as const;
  stream?.append(encodeTurnFrame(head, { seq: seq + 1, block, documents: [] }), position);
  await world.until(async () => (await standby.role(0)) === 'failed', 'it stops');
  const [copy] = (await standby.cluster()).copies;
  t.match(copy?.error, new RegExp(`partition 0: turn ${seq + 1} .* owner ${app} .*cannot fold`));
  t.match(await standby.ask(app, 'app.read'), { ok: false, fault: { code: 'moved' } });
  await world.close();

  // Nothing of that turn is in its files: a build that knows it folds it then.
  const later = new TestCluster(1);
  const only = later.start(standby.name, { dataDir: standby.dataDir });
  await later.until(async () => (await only.cluster()).copies[0]?.seq === seq, 'all before it');
  await later.close();
});
