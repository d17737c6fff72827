// Shards as members of a cluster, with the whole product on real files: who owns a partition takes
// messages, a standby has all of it when it takes over, and a copy that is late is made anew.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
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
    () => [0, 1, 2].every((nn) => !existsSync(join(drained?.dataDir ?? '', 'partitions', `0${nn}`))),
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
