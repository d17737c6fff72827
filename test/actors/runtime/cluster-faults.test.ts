// Members of a cluster under faults, with the whole product on real files: machines that are cut
// off, end, start again, are emptied, and logs that are cut. Nothing acknowledged is lost.

import t from 'tap';
import { seededRng } from '../../../engine/base/rng.ts';
import { anApp, TestCluster, type TestNode } from './support/shard-cluster.ts';

const seed = Number(process.env['ENGAGE_TEST_SEED'] ?? 1);
const faults = Number(process.env['ENGAGE_TEST_FAULTS'] ?? 6);
const partitions = 3;

t.test('nothing acknowledged is lost', async (t) => {
  t.comment(`ENGAGE_TEST_SEED=${seed}`);
  const rng = seededRng(seed);
  const below = (bound: number) => rng.uint32() % bound;
  const world = new TestCluster(partitions, 10);
  for (const name of ['a', 'b', 'c']) world.start(name);
  await world.settled();
  const apps: number[] = [];
  for (let partition = 0; partition < partitions; partition++)
    apps.push(await anApp(world, partition));

  const written = apps.map((): string[] => []);
  let isOver = false;
  const writers = apps.map(async (app, at) => {
    for (let n = 0; !isOver; n++) {
      const name = `${at}-${n}`;
      await world.value(app, 'subscriber.upsert', {
        subscriber: { externalUserId: name, devices: [] },
      });
      written[at]?.push(name);
      await world.time.wait(50);
    }
  });

  const cut = async (node: TestNode) => {
    node.isCut = true;
    await world.time.wait(1_000 + below(8_000));
    node.isCut = false;
  };
  const restart = async (node: TestNode) => {
    node.isCut = below(2) === 0;
    await node.close();
    await world.time.wait(below(6_000));
    world.start(node.name, { dataDir: node.dataDir });
  };
  const drain = async (node: TestNode) => {
    await node.thread({ kind: 'thread.drain', isDraining: true });
    await world.time.wait(below(10_000));
    await node.thread({ kind: 'thread.drain', isDraining: false });
  };
  const trim = async () => {
    const stream = world.streams[below(partitions)];
    stream?.trim(stream.newest - below(20));
  };
  const kinds = { cut, restart, drain, trim };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (let n = 0; n < faults; n++) {
    const node = [...world.nodes.values()][below(world.nodes.size)] as TestNode;
    const kind = names[below(names.length)] as keyof typeof kinds;
    t.comment(`${kind} ${node.name}`);
    await kinds[kind](node);
    await world.settled();
  }
  isOver = true;
  await Promise.all(writers);

  for (const [at, app] of apps.entries()) {
    const lost = [];
    for (const externalUserId of written[at] ?? []) {
      const read = await world.ask(app, 'subscriber.read', { ref: { externalUserId } });
      if (!read.ok) lost.push(externalUserId);
    }
    t.same(lost, [], `${written[at]?.length} writes`);
  }
  const figures = await Promise.all(world.live.map((node) => node.cluster()));
  t.same(
    figures.flatMap(({ copies }) => copies.filter(({ error }) => error !== undefined)),
    [],
    'no copy failed',
  );
  await world.close();
});
