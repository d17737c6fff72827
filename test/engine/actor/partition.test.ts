// One partition with a machine of a few lines: what leaves when, what a turn is bounded by, and
// what a fault may cost. The product's machine is tried in the simulator; here are the promises of
// the runtime alone.

import t from 'tap';
import type { Machine, TimerRef } from '../../../engine/actor/machine.ts';
import type { Answer, Entry, Lane, Message } from '../../../engine/actor/message.ts';
import { Partition } from '../../../engine/actor/partition.ts';
import type { DeadLetter } from '../../../engine/actor/runtime-memory.ts';
import { hourMs } from '../../../engine/base/brand.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { AgeClock } from '../../../engine/time/age-clock.ts';
import { Documents } from '../../../storage/documents.ts';
import { MemoryStore } from '../../../storage/memory.ts';

const never = Number.POSITIVE_INFINITY;

interface ScriptedMessage extends Message {
  readonly kind: 'say' | 'throw' | 'read' | 'tick' | 'chain';
  /** How many consequences a chain has, one of the other. */
  readonly left?: number;
  readonly entries?: readonly Entry[];
  readonly work?: number;
  /** How long it is decided for. */
  readonly takesMs?: number;
}

interface Options {
  readonly store?: MemoryStore;
  /** Kinds of entries that this release cannot fold. */
  readonly unknown?: readonly string[];
  readonly pump?: Machine['pump'];
  readonly disk?: { level: 'free' | 'low' | 'full' };
  /** What a timer's message does. */
  readonly onTick?: (owner: number) => void;
  readonly mayAnswer?: () => boolean;
}

/** A partition whose machine remembers the kinds it folded, and does what messages say. */
class Small {
  nowMs = 1_700_000_000_000;
  monotonicMs = 0;
  readonly store: MemoryStore;
  readonly partition: Partition;
  readonly folded: string[] = [];
  readonly emitted: unknown[] = [];
  readonly letters: DeadLetter[] = [];
  readonly ticks: number[] = [];
  readonly #tasks: (() => void)[] = [];
  #wake: { readonly atMs: number; readonly task: () => void } | undefined;

  constructor(options: Options = {}) {
    this.store = options.store ?? new MemoryStore();
    const machine: Machine = {
      ages: new AgeClock(),
      rebase: () => {},
      documentsOf: (_owner, stored) => stored,
      decide: (message, context) => {
        const { kind, entries = [], work = 0, left = 0 } = message as ScriptedMessage;
        if (kind === 'throw') throw new Error('as it was told');
        this.monotonicMs += (message as ScriptedMessage).takesMs ?? 0;
        if (kind === 'tick') {
          this.ticks.push(context.owner);
          options.onTick?.(context.owner);
        }
        return {
          outcome: 'accepted',
          reply: this.folded.length,
          entries,
          work,
          tells: left > 0 ? [{ to: context.owner, message: { ...message, left: left - 1 } }] : [],
          effects: kind === 'say' ? [{ port: 0, message }] : [],
        };
      },
      apply: ({ kind }) => {
        if (options.unknown?.includes(kind)) throw new Error(`nothing folds ${kind}`);
        this.folded.push(kind);
      },
      timerMessage: () => ({ kind: 'tick' }),
      pump: options.pump ?? (() => undefined),
      recover: () => [],
      parts: () => [],
      restore: (parts) => {
        for (const _part of parts);
      },
    };
    this.partition = new Partition({
      index: 0,
      store: this.store,
      documents: new Documents(this.store),
      machine,
      clock: { now: () => this.nowMs, monotonic: () => this.monotonicMs },
      rng: seededRng(1),
      scheduler: {
        soon: (task) => this.#tasks.push(task),
        wakeAt: (atMs, task) => {
          this.#wake = { atMs, task };
        },
      },
      emit: ({ message }) => this.emitted.push(message),
      diskLow: () => options.disk !== undefined && options.disk.level !== 'free',
      diskFull: () => options.disk?.level === 'full',
      allowedWhenFull: () => true,
      ...(options.mayAnswer && { mayAnswer: options.mayAnswer }),
      onDeadLetter: (letter) => this.letters.push(letter),
      onFatal: (error) => {
        throw error;
      },
    });
    for (const { seq, block } of this.store.blocks(this.store.oldestSeq, 1_000))
      this.partition.replay(seq, block);
    this.partition.start();
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 100; round++) {
      if (this.#wake !== undefined && this.#wake.atMs <= this.nowMs) {
        const { task } = this.#wake;
        this.#wake = undefined;
        task();
      }
      this.#tasks.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    }
  }

  async advance(ms: number): Promise<void> {
    this.nowMs += ms;
    this.monotonicMs += ms;
    await this.settle();
  }

  /** Delivers a message and gives its answer, which may come later. */
  ask(to: number, message: ScriptedMessage, weight = 0, lane: Lane = 'express') {
    const asked: { answer: Answer | undefined } = { answer: undefined };
    const answer = (value: Answer) => {
      asked.answer = value;
    };
    this.partition.deliver({
      to,
      lane,
      deadlineMs: never,
      message,
      bytes: undefined,
      weight,
      answer,
    });
    return asked;
  }
}

const fact = (owner: number, kind = 'fact'): Entry => ({ kind, owner });
const timer = (owner: number, dueMs: number): Entry =>
  ({ kind: 'timer.set', owner, timer: 1, dueMs, ref: [owner, 0, 0, 0] as TimerRef }) as Entry;

t.test(
  'answers and effects wait for the commit, and a read waits for what it has seen',
  async (t) => {
    const small = new Small({ store: new MemoryStore({ settle: 'manual' }) });
    const wrote = small.ask(1, { kind: 'say', entries: [fact(1)] });
    await small.settle();
    const read = small.ask(1, { kind: 'read' });
    await small.settle();
    t.same([wrote.answer, read.answer, small.emitted.length], [undefined, undefined, 0]);
    t.same(small.folded, ['fact'], 'memory is ahead of the disk');
    small.store.settleNext();
    await small.settle();
    t.same(wrote.answer, { ok: true, value: 0 });
    t.same(read.answer, { ok: true, value: 1 });
    t.equal(small.emitted.length, 1);
  },
);

t.test(
  'a message that throws is a dead letter, and its neighbors in the turn are not harmed',
  async (t) => {
    const small = new Small();
    const before = small.ask(1, { kind: 'say', entries: [fact(1)] });
    const bad = small.ask(1, { kind: 'throw', entries: [fact(1, 'never')] });
    const after = small.ask(2, { kind: 'say', entries: [fact(2)] });
    await small.settle();
    t.match([before.answer, bad.answer, after.answer], [{ ok: true }, { ok: false }, { ok: true }]);
    t.same(small.folded, ['fact', 'fact']);
    t.match(small.letters, [{ owner: 1, message: 'throw', error: 'Error: as it was told' }]);
  },
);

t.test('a turn is bounded by what its messages weigh, not only by their number', async (t) => {
  const small = new Small();
  const weight = 256 * 1024;
  for (let i = 0; i < 40; i++) small.ask(1, { kind: 'say', entries: [fact(1)] }, weight, 'bulk');
  await small.settle();
  t.equal(small.folded.length, 40);
  t.equal(small.partition.seq, 10, 'four a turn, a block each');
});

t.test('a turn is bounded by the work that deciding was, however little was sent', async (t) => {
  const small = new Small();
  for (let i = 0; i < 40; i++)
    small.ask(1, { kind: 'say', entries: [fact(1)], work: 300 * 1024 }, 0, 'bulk');
  await small.settle();
  t.equal(small.folded.length, 40);
  t.equal(small.partition.seq, 10, 'the fourth fills a turn');
});

t.test(
  'while express messages come, bulk turns are short and express commits by itself',
  async (t) => {
    const small = new Small();
    const bulk = () => small.ask(1, { kind: 'say', entries: [fact(1)] }, 100 * 1024, 'bulk');
    for (let i = 0; i < 10; i++) bulk();
    await small.settle();
    t.equal(small.partition.seq, 1, 'ten in a turn of 1 MiB');
    for (let i = 0; i < 4; i++) bulk();
    const express = small.ask(2, { kind: 'say', entries: [fact(2)] });
    await small.settle();
    t.match(express.answer, { ok: true });
    t.equal(small.partition.seq, 6, 'express alone, then a large one a turn');
  },
);

t.test('an owner whose entries cannot be folded costs its neighbors nothing', async (t) => {
  const small = new Small();
  small.ask(1, { kind: 'say', entries: [fact(1, 'of.the.next.release')] });
  small.ask(1, { kind: 'say', entries: [timer(1, small.nowMs + 100)] });
  small.ask(2, { kind: 'say', entries: [timer(2, small.nowMs + 200)] });
  small.ask(3, { kind: 'say', entries: [timer(3, small.nowMs + 300)] });
  await small.settle();
  await small.advance(250);
  t.same(small.ticks, [1, 2]);

  const older = new Small({ store: small.store.crash(), unknown: ['of.the.next.release'] });
  t.same([...older.partition.quarantined], [1]);
  t.match(older.letters, [{ owner: 1, message: 'of.the.next.release' }]);
  await older.advance(1_000);
  t.same(older.ticks, [3], 'the one that had not fired, and no other again');
  const asked = older.ask(1, { kind: 'say' });
  const other = older.ask(2, { kind: 'say' });
  await older.settle();
  t.match(
    [asked.answer, other.answer],
    [{ ok: false, fault: { code: 'quarantined' } }, { ok: true }],
  );

  const newer = new Small({ store: older.store.crash() });
  t.same([...newer.partition.quarantined], [], 'a release that knows the entry takes the owner up');
  t.ok(newer.folded.includes('of.the.next.release'));
  const parts = older.partition.snapshot();
  t.notMatch(JSON.stringify(parts), 'quarantined');
});

t.test(
  'a timer whose message throws comes again in an hour, and so does one of a quarantined owner',
  async (t) => {
    let isBroken = true;
    const onTick = () => {
      if (isBroken) throw new Error('for now');
    };
    const small = new Small({ onTick });
    small.ask(4, { kind: 'say', entries: [timer(4, small.nowMs + 10), fact(4, 'odd')] });
    await small.settle();
    await small.advance(10);
    t.equal(small.letters.length, 1);
    isBroken = false;
    await small.advance(hourMs - 1);
    t.same(small.ticks, [4]);
    await small.advance(1);
    t.same(small.ticks, [4, 4]);
    t.equal(small.partition.timersPending, 0);

    const set = new Small();
    set.ask(4, { kind: 'say', entries: [timer(4, set.nowMs + 10), fact(4, 'odd')] });
    await set.settle();
    const older = new Small({ store: set.store.crash(), unknown: ['odd'] });
    await older.advance(10);
    const newer = new Small({ store: older.store.crash() });
    newer.nowMs = older.nowMs;
    await newer.advance(hourMs);
    t.same(newer.ticks, [4], 'nothing was lost while it was quarantined');
  },
);

t.test('a pump that throws ends nothing, and is tried again', async (t) => {
  let calls = 0;
  const pump = () => {
    calls++;
    if (calls === 1) throw new Error('one bad record');
    return undefined;
  };
  const small = new Small({ pump });
  const asked = small.ask(1, { kind: 'say', entries: [fact(1)] });
  await small.settle();
  t.match(asked.answer, { ok: true });
  t.match(small.letters, [{ message: 'pump', error: 'Error: one bad record' }]);
  const before = calls;
  await small.advance(9_000);
  t.equal(calls, before, 'not at every turn');
  await small.advance(1_000);
  t.equal(calls, before + 1);
});

t.test(
  'a clock that jumps ahead is caught up with, and the timers of that time come in a stream',
  async (t) => {
    const small = new Small();
    small.ask(1, {
      kind: 'say',
      entries: [1, 2, 3].map((hours) => timer(hours, small.nowMs + hours * hourMs)),
    });
    await small.settle();
    const wallMs = small.nowMs;
    small.nowMs += 10 * hourMs; // a wrong reading, for one turn
    small.ask(1, { kind: 'say', entries: [fact(1)] });
    await small.settle();
    small.nowMs = wallMs;
    await small.settle();
    t.same(small.ticks, []);
    t.equal(small.partition.figures.clockJumps, 1);

    small.nowMs += 10 * hourMs; // a machine that slept
    await small.settle();
    t.same(small.ticks, []);
    for (let seconds = 0; seconds < 13; seconds++) await small.advance(1_000);
    t.same(small.ticks, [1], 'five minutes a second');
    for (let seconds = 0; seconds < 130; seconds++) await small.advance(1_000);
    t.same(small.ticks, [1, 2, 3]);
  },
);

t.test('turns are counted, timed, and told apart that took too long', async (t) => {
  const one = new Small();
  const { figures } = one.partition;
  await one.settle();
  const before = figures.turns;
  for (const takesMs of [10, 11, 3]) {
    one.ask(1, { kind: 'say', entries: [{ kind: 'noted', owner: 1 }], takesMs });
    await one.settle();
  }
  t.ok(figures.turns >= before + 3);
  const { counts, sumMs } = figures.turnTimes;
  t.equal(sumMs, 24);
  t.strictSame(counts.slice(4), [0, 1, 1, 1, 0, 0, 0, 0, 0], 'at most 5, 10 and 25 ms');
  t.equal(figures.longTurns, 1);
});

t.test('a chain of consequences is whole, wherever in it the process ends', async (t) => {
  const chain = { kind: 'chain', entries: [fact(1)], left: 4_999 } as const;
  for (const commits of [1, 2, 3]) {
    const store = new MemoryStore({ settle: 'manual' });
    const small = new Small({ store });
    small.ask(1, chain);
    for (let commit = 0; commit < commits; commit++) {
      await small.settle();
      store.settleNext();
    }
    const again = new Small({ store: store.crash(0, { settle: 'auto' }) });
    await again.settle();
    t.equal(again.folded.length, 5_000, `after ${commits} commits`);
    const snapshot = again.partition.snapshot();
    t.match(snapshot[0], { value: { carried: [] } }, 'and nothing of it is left');
  }
});

t.test('a full disk: reads are answered, and nothing is written', async (t) => {
  const disk: NonNullable<Options['disk']> = { level: 'free' };
  const pumped: number[] = [];
  const small = new Small({
    disk,
    pump: ({ nowMs }) => {
      pumped.push(nowMs);
      return undefined;
    },
  });
  small.ask(1, { kind: 'say', entries: [timer(7, small.nowMs + hourMs)] });
  await small.settle();
  disk.level = 'full';
  const before = { seq: small.store.durableSeq, pumped: pumped.length };
  const write = small.ask(1, { kind: 'say', entries: [fact(1)] });
  const chain = small.ask(1, { kind: 'chain', left: 3 });
  const thrown = small.ask(1, { kind: 'throw' });
  const read = small.ask(1, { kind: 'read' });
  await small.advance(2 * hourMs);
  t.match(write.answer, { ok: false, fault: { code: 'disk_full', retryAfterSeconds: 30 } });
  t.match(chain.answer, { ok: false, fault: { code: 'disk_full' } });
  t.match(thrown.answer, { ok: false, fault: { code: 'internal' } });
  t.match(read.answer, { ok: true });
  t.same({ seq: small.store.durableSeq, pumped: pumped.length }, before);
  t.same([small.ticks, small.emitted.length], [[], 1]);

  disk.level = 'free';
  for (let seconds = 0; seconds < 30; seconds++) await small.advance(1_000);
  t.same(small.ticks, [7], 'the timer is not lost');
});

t.test('an outcome that comes on a full disk waits, before those that come later', async (t) => {
  const disk: NonNullable<Options['disk']> = { level: 'full' };
  const small = new Small({ disk });
  const outcome = (kind: string) =>
    small.partition.deliverAlways({
      to: 1,
      lane: 'express',
      deadlineMs: never,
      message: { kind: 'say', entries: [fact(1, kind)] } as ScriptedMessage,
      bytes: undefined,
      answer: undefined,
    });
  for (let n = 0; n < 40; n++) outcome(`outcome ${n}`);
  await small.advance(5_000);
  t.same(small.folded, []);
  outcome('outcome 40');
  disk.level = 'low';
  outcome('outcome 41');
  await small.advance(1_000);
  await small.settle();
  t.same(
    small.folded,
    Array.from({ length: 42 }, (_, n) => `outcome ${n}`),
  );
});

t.test('turns are small while the disk is low', async (t) => {
  const disk: NonNullable<Options['disk']> = { level: 'low' };
  const small = new Small({ disk, store: new MemoryStore({ settle: 'manual' }) });
  for (let n = 0; n < 50; n++) small.ask(1, { kind: 'say', entries: [fact(1)] });
  await small.settle();
  t.equal(small.folded.length, 32, 'two turns in flight with 16 messages each');
});

t.test('a partition stops although outcomes wait for room', async (t) => {
  const small = new Small({ disk: { level: 'full' } });
  small.partition.deliverAlways({
    to: 1,
    lane: 'express',
    deadlineMs: never,
    message: { kind: 'say', entries: [fact(1)] } as ScriptedMessage,
    bytes: undefined,
    answer: undefined,
  });
  await small.settle();
  const stopped = small.partition.stop().then(() => true);
  await small.settle();
  t.equal(await Promise.race([stopped, Promise.resolve(false)]), true);
});

t.test('a partition that another process took over tells every caller so', async (t) => {
  const small = new Small({ store: new MemoryStore({ settle: 'manual' }) });
  const entries = [{ kind: 'noted', owner: 1 }];
  const inFlight = small.ask(1, { kind: 'say', entries });
  await small.settle();
  const queued = small.ask(1, { kind: 'say', entries });
  small.partition.fenced();
  const late = small.ask(1, { kind: 'say', entries });
  await small.settle();
  for (const { answer } of [inFlight, queued, late])
    t.match(answer, { ok: false, fault: { code: 'moved' } });
  t.same(small.emitted, [], 'nothing leaves');
});

t.test('what no commit vouches for is answered while nobody else can own it', async (t) => {
  let mayAnswer = true;
  const store = new MemoryStore({ settle: 'manual' });
  const small = new Small({ store, mayAnswer: () => mayAnswer });
  const read = small.ask(1, { kind: 'read' });
  await small.settle();
  t.match(read.answer, { ok: true });
  mayAnswer = false;
  const late = small.ask(1, { kind: 'read' });
  await small.settle();
  t.match(late.answer, { ok: false, fault: { code: 'moved' } });

  // A write, and a read behind it, are answered by the commit: it would have failed otherwise.
  const write = small.ask(1, { kind: 'say', entries: [{ kind: 'noted', owner: 1 }] });
  await small.settle();
  const behind = small.ask(1, { kind: 'read' });
  await small.settle();
  t.equal(behind.answer, undefined);
  store.settleNext();
  await small.settle();
  t.match(write.answer, { ok: true });
  t.match(behind.answer, { ok: true, value: 1 });
});
