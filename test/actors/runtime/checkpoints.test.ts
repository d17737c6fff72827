// When a checkpoint is made and what follows it, with a pool that answers when the test says so and
// a clock that is moved.

import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { type CheckpointedPartition, Checkpoints } from '../../../actors/runtime/checkpoints.ts';
import type {
  CheckpointResult,
  CheckpointTask,
  PoolResult,
  PoolTask,
} from '../../../actors/runtime/tasks.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { SharedGate } from '../../../engine/thread/shared-word.ts';
import { testClock } from '../../support/partition.ts';

interface Started {
  readonly task: CheckpointTask;
  finish(result: CheckpointResult): Promise<void>;
  fail(error: Error): Promise<void>;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp(gate = new SharedGate()) {
  const clock = testClock();
  const started: Started[] = [];
  const said: string[] = [];
  const say = (fields: { evt?: string }) => said.push(fields.evt ?? '');
  const log = { debug: say, info: say, warn: say, error: say, fatal: say } as unknown as Log;
  const pool = {
    run: (task: PoolTask) =>
      new Promise<PoolResult>((resolve, reject) => {
        started.push({
          task: task as CheckpointTask,
          finish: (result) => {
            resolve(result);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
  };
  const disk = { low: false, freeBytes: 1e9 };
  const checkpoints = new Checkpoints({
    dataDir: 'data',
    pool,
    gate,
    clock,
    log,
    disk,
  });
  return { clock, started, said, checkpoints, disk };
}

function aPartition(index: number, over: Partial<CheckpointedPartition> = {}) {
  const drops: { through: number; limit: number }[] = [];
  let left = 5;
  const store = {
    durableSeq: 0,
    oldestSeq: 1,
    dropBlocks: (through: number, limit: number) => {
      drops.push({ through, limit });
      return Promise.resolve(--left);
    },
  };
  const figures = { entries: 0, blockBytes: 0, commits: 0 };
  const partition: CheckpointedPartition = {
    index,
    store,
    figures,
    seq: 0,
    madeMs: testClock().now(),
    tailEntries: 0,
    tailBytes: 0,
    checkpointBytes: 0,
    heldBy: () => undefined,
    ...over,
  };
  return { partition, store, figures, drops };
}

function made(seq: number, dropThrough = 0): CheckpointResult {
  return {
    outcome: 'made',
    seq,
    dropThrough,
    blocks: 1,
    entries: 1,
    events: 1,
    bytes: 1,
    files: 1,
    removed: 0,
    problems: [],
  };
}

t.test('nothing is made while nothing is new, until it is time to let old events go', async (t) => {
  const { clock, started, checkpoints } = setUp();
  checkpoints.add(aPartition(0).partition);
  clock.nowMs += limits.sweepEveryMs - 1;
  checkpoints.tick();
  t.equal(started.length, 0);
  clock.nowMs += 1;
  checkpoints.tick();
  t.match(started[0]?.task, { kind: 'checkpoint', partition: 0, sweep: true });
  await started[0]?.finish({ outcome: 'nothing_new', problems: [] });
  checkpoints.tick();
  t.equal(started.length, 1);
});

t.test('a log that is old, or has many entries or bytes, gets a checkpoint', async (t) => {
  const ways: [string, (one: ReturnType<typeof aPartition>, clock: { nowMs: number }) => void][] = [
    ['age', (_one, clock) => (clock.nowMs += limits.tailAgeMs)],
    ['entries', ({ figures }) => (figures.entries += limits.tailEntriesMax)],
    ['bytes', ({ figures }) => (figures.blockBytes += limits.tailBytesMax)],
  ];
  for (const [name, grow] of ways) {
    const { clock, started, checkpoints } = setUp();
    const one = aPartition(0);
    checkpoints.add(one.partition);
    one.store.durableSeq = 9;
    checkpoints.tick();
    t.equal(started.length, 0, name);
    grow(one, clock);
    checkpoints.tick();
    t.equal(started.length, 1, name);
    await started[0]?.finish(made(9));
    checkpoints.tick();
    t.equal(started.length, 1, `${name}: and then none`);
    t.equal(checkpoints.seqOf(0), 9);
  }
});

t.test(
  'what was replayed at the start counts, and so does the age of the checkpoint before it',
  async (t) => {
    const { clock, started, checkpoints } = setUp();
    const long = aPartition(0, { tailEntries: limits.tailEntriesMax, seq: 3 });
    long.store.durableSeq = 9;
    checkpoints.add(long.partition);
    checkpoints.tick();
    t.equal(started[0]?.task.partition, 0);
    await started[0]?.finish(made(9));
    const old = aPartition(1, { madeMs: clock.nowMs - limits.tailAgeMs, seq: 3 });
    old.store.durableSeq = 9;
    checkpoints.add(old.partition);
    checkpoints.tick();
    t.equal(started[1]?.task.partition, 1);
  },
);

t.test('one is made at a time in the whole process, the longest log first', async (t) => {
  const gate = new SharedGate();
  const one = setUp(gate);
  const other = setUp(gate);
  const [small, large, elsewhere] = [aPartition(0), aPartition(1), aPartition(2)];
  for (const { store, figures } of [small, large, elsewhere]) {
    store.durableSeq = 9;
    figures.blockBytes = limits.tailBytesMax;
  }
  one.checkpoints.add({ ...small.partition, tailBytes: limits.tailBytesMax });
  one.checkpoints.add({ ...large.partition, tailBytes: 2 * limits.tailBytesMax });
  other.checkpoints.add({ ...elsewhere.partition, tailBytes: limits.tailBytesMax });
  one.checkpoints.tick();
  one.checkpoints.tick();
  other.checkpoints.tick();
  t.same(
    one.started.map(({ task }) => task.partition),
    [1],
  );
  t.equal(other.started.length, 0);
  await one.started[0]?.finish(made(9));
  other.checkpoints.tick();
  one.checkpoints.tick();
  t.equal(other.started.length, 1);
  t.equal(one.started.length, 1);
  await other.started[0]?.finish(made(9));
  one.checkpoints.tick();
  t.equal(one.started[1]?.task.partition, 0);
});

t.test(
  'after a checkpoint the log is dropped in slices up to where the older one stands',
  async (t) => {
    const { started, checkpoints } = setUp();
    const one = aPartition(0);
    one.store.durableSeq = 50_000;
    one.figures.blockBytes = limits.tailBytesMax;
    one.figures.commits = 20_000; // 13 kB a block
    checkpoints.add({ ...one.partition, tailBytes: limits.tailBytesMax });
    checkpoints.tick();
    await started[0]?.finish(made(50_000, 40_000));
    await settle();
    t.equal(one.drops.length, 5);
    t.ok(
      one.drops.every(({ through, limit }) => through === 40_000 && limit > 500 && limit < 1000),
    );
  },
);

t.test('one that fails is tried again, more and more rarely, and the log is kept', async (t) => {
  const { clock, started, said, checkpoints } = setUp();
  const one = aPartition(0);
  one.store.durableSeq = 9;
  checkpoints.add(one.partition);
  clock.nowMs += limits.tailAgeMs;
  checkpoints.tick();
  await started[0]?.fail(new Error('the disk is full'));
  t.same(said, ['checkpoint.failed']);
  t.same(one.drops, []);
  checkpoints.tick();
  t.equal(started.length, 1);
  const waits: number[] = [];
  for (let tries = 1; tries <= 7; tries++) {
    let waited = 0;
    for (; started.length === tries; waited++) {
      clock.nowMs += 60_000;
      checkpoints.tick();
    }
    waits.push(waited);
    if (tries < 7) await started[tries]?.fail(new Error('an entry cannot be folded'));
  }
  t.same(waits, [1, 2, 4, 8, 16, 16, 16], 'minutes');
  await started[7]?.finish(made(9));
  one.store.durableSeq++;
  clock.nowMs += limits.tailAgeMs;
  checkpoints.tick();
  await started[8]?.fail(new Error('again'));
  clock.nowMs += 60_000;
  checkpoints.tick();
  t.equal(started.length, 10, 'and after one that was made from the beginning');
});

t.test('one that was asked for is made at once, and is answered also when it fails', async (t) => {
  const { started, checkpoints, disk } = setUp();
  checkpoints.add(aPartition(0).partition);
  checkpoints.add(aPartition(1).partition);
  disk.low = true;
  const first = checkpoints.now(1, true);
  const second = checkpoints.now(0);
  t.match(started[0]?.task, { partition: 1, sweep: true });
  await started[0]?.finish(made(4));
  t.match(await first, { seq: 4 });
  checkpoints.tick();
  t.match(started[1]?.task, { partition: 0, sweep: false });
  const failed = t.rejects(second, /no/);
  await started[1]?.fail(new Error('no'));
  await failed;
  t.throws(() => checkpoints.now(7), /not here/);
});

t.test('on a disk that is nearly full one is made where there is room for it', async (t) => {
  const { clock, started, checkpoints, disk } = setUp();
  const [large, small] = [aPartition(0, { checkpointBytes: 4e6 }), aPartition(1)];
  for (const { store } of [large, small]) store.durableSeq = 9;
  large.figures.blockBytes = 1e6 + 1;
  checkpoints.add({ ...large.partition, tailBytes: 1e6 + 1 });
  checkpoints.add({ ...small.partition, tailBytes: 0 });
  clock.nowMs += limits.tailAgeMs;
  Object.assign(disk, { low: true, freeBytes: 10e6 });
  checkpoints.tick();
  t.match(started[0]?.task, { partition: 1, diskLow: true });
  await started[0]?.finish(made(9));
  checkpoints.tick();
  await t.rejects(checkpoints.now(0), /partition 0: the disk is nearly full/);
  t.equal(started.length, 1);
  disk.freeBytes += 2;
  checkpoints.tick();
  t.match(started[1]?.task, { partition: 0, sweep: false });
  await started[1]?.finish({ ...made(9), bytes: 6e6 } as CheckpointResult);
  small.store.oldestSeq = 9;
  large.store.durableSeq++;
  clock.nowMs += limits.tailAgeMs;
  checkpoints.tick();
  t.equal(started.length, 2, 'it has grown');
});

t.test(
  'on a disk that is nearly full a second one lets all of the log go, and then they rest',
  async (t) => {
    const { clock, started, checkpoints, disk } = setUp();
    const one = aPartition(0);
    one.store.durableSeq = 9;
    checkpoints.add(one.partition);
    disk.low = true;
    clock.nowMs += limits.tailAgeMs;
    checkpoints.tick();
    await started[0]?.finish(made(9));
    checkpoints.tick();
    t.equal(started.length, 1);
    clock.nowMs += limits.tailAgeMs;
    checkpoints.tick();
    t.match(started[1]?.task, { partition: 0, sweep: true }, 'although nothing is new');
    one.store.oldestSeq = 9;
    await started[1]?.finish(made(9, 9));
    clock.nowMs += limits.tailAgeMs;
    checkpoints.tick();
    t.equal(started.length, 2);
  },
);

t.test('none is made of a log that is needed for something else', async (t) => {
  const { clock, started, checkpoints } = setUp();
  let reason: string | undefined = 'partition 0: 2 erased people are not on the list';
  const one = aPartition(0, { heldBy: () => reason, tailEntries: limits.stopTailEntries + 1 });
  one.store.durableSeq = 9;
  checkpoints.add(one.partition);
  clock.nowMs += limits.sweepEveryMs;
  checkpoints.tick();
  await t.rejects(checkpoints.now(0), /^partition 0: 2 erased people/);
  t.equal(started.length, 0);
  reason = undefined;
  checkpoints.tick();
  one.store.durableSeq = 12;
  t.match(started[0]?.task, { through: 9 }, 'nor of what comes while it is made');
  await started[0]?.finish(made(9));
  one.figures.entries += limits.stopTailEntries + 1;
  reason = 'again';
  await checkpoints.stop();
  t.equal(started.length, 1, 'also not at a stop');
});

t.test('a busy partition keeps no other from letting old events go', async (t) => {
  const { clock, started, checkpoints } = setUp();
  const [busy, idle, older] = [aPartition(0), aPartition(1), aPartition(2)];
  checkpoints.add(busy.partition);
  checkpoints.add(idle.partition);
  checkpoints.add({ ...older.partition, madeMs: clock.nowMs - 60_000 });
  busy.store.durableSeq = 9;
  clock.nowMs += limits.sweepEveryMs;
  const order: number[] = [];
  for (let round = 0; round < 4; round++) {
    busy.figures.blockBytes += limits.tailBytesMax;
    busy.store.durableSeq++;
    checkpoints.tick();
    order.push(started[round]?.task.partition ?? -1);
    await started[round]?.finish(made(9));
  }
  t.same(order, [2, 0, 1, 0]);
});

t.test(
  'a stop makes those that a start would miss, and lets go of the one that is under way',
  async (t) => {
    const { clock, started, checkpoints } = setUp();
    const [running, long, short] = [aPartition(0), aPartition(1), aPartition(2)];
    for (const { store } of [running, long, short]) store.durableSeq = 9;
    checkpoints.add(running.partition);
    checkpoints.add({ ...long.partition, tailEntries: limits.stopTailEntries + 1 });
    checkpoints.add({ ...short.partition, tailEntries: limits.stopTailEntries });
    const asked = checkpoints.now(0);
    const waiting = checkpoints.now(2);
    const refused = t.rejects(waiting, /stopping/);
    const stopped = checkpoints.stop();
    t.equal(started[0]?.task.stop[0], 1);
    await started[0]?.finish({ outcome: 'stopped', problems: [] });
    t.match(await asked, { outcome: 'stopped' });
    await settle();
    t.match(started[1]?.task, { partition: 1, stop: { 0: 0 } });
    await started[1]?.finish(made(9));
    await stopped;
    await refused;
    t.equal(started.length, 2);
    clock.nowMs += limits.sweepEveryMs;
    checkpoints.tick();
    t.equal(started.length, 2);
  },
);

t.test('a memory that is opened anew keeps what is being made of its files', async (t) => {
  const { started, checkpoints } = setUp();
  const one = aPartition(0, { tailBytes: limits.tailBytesMax });
  one.store.durableSeq = 7;
  checkpoints.add(one.partition);
  checkpoints.tick();
  t.equal(started.length, 1);
  const asked = checkpoints.now(0);
  const again = aPartition(0, { tailBytes: limits.tailBytesMax, tailEntries: 9 });
  again.store.durableSeq = 7;
  checkpoints.add(again.partition);
  await started[0]?.finish(made(7));
  t.equal(checkpoints.seqOf(0), 7);
  // Who asked gets a result, of a look that finds nothing new.
  checkpoints.tick();
  t.equal(started.length, 2);
  await started[1]?.finish({ outcome: 'nothing_new', problems: [] });
  t.match(await asked, { outcome: 'nothing_new' });
});

t.test('a partition that is closed stops what is being made of it', async (t) => {
  const { started, checkpoints } = setUp();
  const one = aPartition(0, { tailBytes: limits.tailBytesMax });
  one.store.durableSeq = 7;
  checkpoints.add(one.partition);
  checkpoints.tick();
  const asked = t.rejects(checkpoints.now(0), /not here any more/);
  let isRemoved = false;
  const removed = checkpoints.remove(0).then(() => {
    isRemoved = true;
  });
  await settle();
  t.notOk(isRemoved, 'a task still reads the files');
  t.equal(Atomics.load(started[0]?.task.stop as Int32Array, 0), 1, 'and is asked to stop');
  await started[0]?.finish(made(7, 5));
  await removed;
  await asked;
  t.same(one.drops, [], 'nothing is dropped from files that are about to be closed');
  checkpoints.tick();
  t.equal(started.length, 1);
  t.throws(() => checkpoints.seqOf(0), /not here/);
});
