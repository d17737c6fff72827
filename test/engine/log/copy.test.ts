// One copy by itself: how it ends a term, and what it does when it cannot go on.

import t from 'tap';
import { seededRng } from '../../../engine/base/rng.ts';
import { PartitionCopy } from '../../../engine/log/copy.ts';
import { decodeFrame } from '../../../engine/log/frame.ts';
import { MemoryLog, MemoryStream, type Network } from '../../../engine/log/memory-log.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { type NotedMemory, note, openNoted } from './support/noted-partition.ts';

const claim = Buffer.from('claim');
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !isSo(); tries++) await tick();
}

interface Changes {
  readonly network?: Network;
  /** Before each opening, from 1. */
  readonly onOpen?: (time: number) => void;
  readonly beforeStart?: () => Promise<void>;
  readonly hasRoom?: () => boolean;
  readonly opensAgain?: () => boolean;
}

function copyOn(stream: MemoryStream, writer: number, changes: Changes = {}) {
  const files = new MemoryStore();
  const told: unknown[] = [];
  const published: number[] = [];
  const memories: NotedMemory[] = [];
  const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };
  let opened = 0;
  const copy = new PartitionCopy({
    files,
    log: new MemoryLog(stream, changes.network),
    generation: 1,
    writer,
    open: (over) => {
      changes.onOpen?.(++opened);
      const soon = (task: () => void) => void setImmediate(task);
      const memory = openNoted({ over, files, clock, rng: seededRng(writer), soon });
      memories.push(memory);
      return memory.partition;
    },
    wait: tick,
    monotonic: () => 7,
    onCommitted: (ms) => published.push(ms),
    onRole: (role, error) => told.push(error === undefined ? role : [role, String(error)]),
    ...(changes.beforeStart && { beforeStart: changes.beforeStart }),
    ...(changes.hasRoom && { hasRoom: changes.hasRoom }),
    ...(changes.opensAgain && { opensAgain: changes.opensAgain }),
  });
  t.teardown(() => copy.close());
  const write = (id: number) =>
    new Promise<boolean>((resolve) => note(memories.at(-1) as NotedMemory, id, resolve));
  return { copy, files, told, published, write, ids: () => memories.at(-1)?.ids };
}

const kinds = (stream: MemoryStream) =>
  stream.read(0, Number.POSITIVE_INFINITY)?.map(({ bytes }) => decodeFrame(bytes).kind);

t.test('an owner that hands over writes its turns, then one last frame', async (t) => {
  const stream = new MemoryStream();
  const [one, two] = [copyOn(stream, 1), copyOn(stream, 2)];
  t.ok(await one.copy.takeOver(1, claim));
  const written = one.write(1);
  await until(() => !one.copy.isQuiet);
  const handed = one.copy.handOver(Buffer.from('two'));
  const late = one.write(2);
  t.ok(await handed);
  t.ok(await written, 'a turn that was decided is done');
  t.notOk(await late, 'a later one is not');
  t.equal(one.copy.role, 'standby');
  t.same(kinds(stream), ['claim', 'turn', 'handed']);
  t.ok(await two.copy.takeOver(2, claim));
  t.ok(await two.write(3));
  await until(() => one.ids()?.length === 2);
  t.same(one.ids(), [1, 3]);
  t.same(two.ids(), [1, 3]);
});

t.test('an owner that has lost its term hands nothing over', async (t) => {
  const stream = new MemoryStream();
  const [one, two] = [copyOn(stream, 1), copyOn(stream, 2)];
  t.ok(await one.copy.takeOver(1, claim));
  t.ok(await two.copy.takeOver(2, claim));
  t.notOk(await one.copy.handOver(Buffer.from('two')));
  await until(() => one.copy.role === 'standby');
  t.notOk(await one.copy.handOver(Buffer.from('two')), 'a standby has nothing to hand over');
  t.equal(two.copy.role, 'owner');
});

t.test('an idle owner says that it lives, and when it published that', async (t) => {
  const stream = new MemoryStream();
  const one = copyOn(stream, 1);
  one.copy.idle();
  t.ok(await one.copy.takeOver(1, claim));
  one.copy.idle();
  one.copy.idle();
  await until(() => one.copy.isQuiet);
  t.same(kinds(stream), ['claim', 'idle'], 'one while none is committed');
  t.same(one.published, [7]);
});

t.test('a copy that cannot be opened again has failed, and says why', async (t) => {
  const stream = new MemoryStream();
  const one = copyOn(stream, 1, {
    onOpen: (time) => {
      if (time === 2) throw new Error('the files are damaged');
    },
  });
  const two = copyOn(stream, 2);
  t.ok(await one.copy.takeOver(1, claim));
  t.ok(await two.copy.takeOver(2, claim));
  t.notOk(await one.write(1));
  await until(() => one.copy.role === 'failed');
  t.same(one.told.at(-1), ['failed', 'Error: the files are damaged']);
  t.notOk(await one.copy.takeOver(3, claim), 'it does not claim');
});

t.test('a copy claims only what it could read', async (t) => {
  const stream = new MemoryStream();
  const one = copyOn(stream, 1);
  t.ok(await one.copy.takeOver(1, claim));
  for (let id = 1; id <= 5; id++) t.ok(await one.write(id));
  stream.trim(4);
  const late = copyOn(stream, 2);
  t.notOk(await late.copy.takeOver(2, claim), 'the log has dropped what it needs');
  await until(() => late.copy.role === 'gone');
  t.equal(late.copy.role, 'gone');
  const deaf = copyOn(stream, 3, { network: async () => undefined });
  t.notOk(await deaf.copy.takeOver(2, claim), 'the log does not answer');
  t.equal(deaf.copy.role, 'standby');
  t.notOk(kinds(stream)?.slice(1).includes('claim'), 'nobody has claimed');
});

t.test('a log that drops frames behind a claim makes the claimant gone, not stuck', async (t) => {
  const stream = new MemoryStream();
  const one = copyOn(stream, 1);
  t.ok(await one.copy.takeOver(1, claim));
  for (let id = 1; id <= 5; id++) t.ok(await one.write(id));
  let isOpen = false;
  const two = copyOn(stream, 2, {
    // Reads get no answer until the log has been cut; the claim itself does.
    network: async (call) => {
      const before = stream.newest;
      const answer = call();
      if (stream.newest > before) {
        stream.trim(5);
        isOpen = true;
      }
      return Array.isArray(answer) && !isOpen ? undefined : answer;
    },
  });
  t.notOk(await two.copy.takeOver(2, claim));
  t.equal(two.copy.role, 'gone');
});

t.test('an owner that cannot read who took its term is gone, and promises nothing', async (t) => {
  const stream = new MemoryStream();
  let isCut = false;
  const network: Network = async (call) => (isCut ? undefined : call());
  const [one, two] = [copyOn(stream, 1, { network }), copyOn(stream, 2)];
  t.ok(await one.copy.takeOver(1, claim));
  isCut = true;
  let isAnswered = false;
  void one.write(1).then(() => {
    isAnswered = true;
  });
  t.ok(await two.copy.takeOver(2, claim));
  for (let id = 2; id <= 5; id++) t.ok(await two.write(id));
  stream.trim(4);
  isCut = false;
  await until(() => one.copy.role === 'gone');
  t.equal(one.copy.role, 'gone');
  t.notOk(isAnswered, 'what was under way may have been done');
});

t.test('a new owner starts once the owner before it answers nothing', async (t) => {
  const stream = new MemoryStream();
  let goOn = () => {};
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const one = copyOn(stream, 1, { beforeStart: () => waits });
  const taken = one.copy.takeOver(1, claim);
  await until(() => stream.newest === 1);
  for (let turn = 0; turn < 20; turn++) await tick();
  t.equal(one.copy.role, 'claiming');
  goOn();
  t.ok(await taken);
  t.equal(one.copy.role, 'owner');
});

t.test('a standby waits while its disk has no room', async (t) => {
  const stream = new MemoryStream();
  let isFull = true;
  const one = copyOn(stream, 1);
  const two = copyOn(stream, 2, { hasRoom: () => !isFull });
  t.ok(await one.copy.takeOver(1, claim));
  t.ok(await one.write(1));
  for (let ticks = 0; ticks < 50; ticks++) await tick();
  t.same(two.ids(), []);
  t.equal(two.copy.role, 'standby');
  isFull = false;
  await until(() => two.ids()?.length === 1);
  t.same(two.ids(), [1]);

  // And one that waits can be closed.
  isFull = true;
  t.ok(await one.write(2));
  await two.copy.close();
  t.same(two.ids(), [1]);
  t.equal(two.files.durableSeq, 1);
});

t.test('a copy of a process that is about to end folds nothing anew', async (t) => {
  const stream = new MemoryStream();
  let opened = 0;
  const one = copyOn(stream, 1, { onOpen: () => opened++, opensAgain: () => false });
  const two = copyOn(stream, 2);
  t.ok(await one.copy.takeOver(1, claim));
  t.ok(await one.write(1));
  t.ok(await one.copy.handOver(Buffer.from('two')));
  t.equal(one.copy.role, 'closed');
  t.equal(opened, 1);
  t.ok(await two.copy.takeOver(2, claim));
  t.same(two.ids(), [1]);
});

t.test('files have what was acknowledged once they are settled', async (t) => {
  const stream = new MemoryStream();
  const { copy, files, write } = copyOn(stream, 1);
  t.ok(await copy.takeOver(1, claim));
  const held: (() => void)[] = [];
  const commit = files.commit.bind(files);
  files.commit = (turn, durable, stored) => void held.push(() => commit(turn, durable, stored));
  t.ok(await write(1), 'the log has it');
  t.equal(files.durableSeq, 0);
  let isSettled = false;
  const settled = copy.settled().then(() => {
    isSettled = true;
  });
  for (let ticks = 0; ticks < 10; ticks++) await tick();
  t.notOk(isSettled);
  t.ok(await write(2), 'what comes later is not waited for');
  held.shift()?.();
  await settled;
  t.equal(files.durableSeq, 1);
  held.shift()?.();
  await copy.settled();
  t.equal(files.durableSeq, 2);
});
