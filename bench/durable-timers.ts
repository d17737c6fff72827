// Timers in the product: each is scheduled by a message, stored as a partition's entry, and fired
// by a recorded turn. Baseline: rows keyed by (due, id). bench/timers.ts measures the wheel alone.
// Run: npx tsx bench/durable-timers.ts [timers = 1000000] [rounds = 1]

import '../engine/base/plain-msgpack.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Machine, TimerSet } from '../engine/actor/machine.ts';
import { accepted, type Message } from '../engine/actor/message.ts';
import { Partition } from '../engine/actor/partition.ts';
import type { Scheduler } from '../engine/actor/partition-options.ts';
import { dayMs, type Millis } from '../engine/base/brand.ts';
import { type Rng, seededRng } from '../engine/base/rng.ts';
import { AgeClock } from '../engine/time/age-clock.ts';
import { TimerWheel, type TimerWheelSnapshot } from '../engine/time/timer-wheel.ts';
import { Documents } from '../storage/documents.ts';
import { openPartition } from '../storage/environment.ts';

const timers = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 1);
const spanMs = 30 * dayMs;
const startMs = 1_763_700_000_000;
/** Messages per turn, and rows per commit of the baseline. */
const perTurn = 1000;
const turnsOutstanding = 4;
const kind = 7;

interface Rates {
  readonly schedule: number;
  readonly fire: number;
  readonly wheelBytes: number;
  readonly logBytes: number;
}

interface SetTimer extends Message {
  readonly dueMs: Millis;
  readonly number: number;
}

/** An app that only sets timers by message and counts those that fire. */
class TimerMachine implements Machine {
  fired = 0;
  readonly ages = new AgeClock();
  rebase(): void {}
  documentsOf: Machine['documentsOf'] = (_owner, stored) => stored;
  decide(message: Message) {
    if (message.kind !== 'set') return accepted(null);
    const { dueMs, number } = message as SetTimer;
    const entry: TimerSet = {
      kind: 'timer.set',
      owner: 1,
      timer: kind,
      dueMs,
      ref: [number, 1, 2, 3],
    };
    return accepted(null, { entries: [entry] });
  }
  timerMessage(): Message {
    this.fired++;
    return { kind: 'fired' };
  }
  apply(): void {}
  pump(): undefined {
    return undefined;
  }
  recover(): [] {
    return [];
  }
  *parts(): Generator<never> {}
  restore(): void {}
}

async function ours(rng: Rng): Promise<Rates> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const store = openPartition({
    dataDir,
    partition: 0,
    partitions: 1,
    nowMs: startMs,
    onFatal: fail,
  });
  let nowMs = startMs;
  let wake: NodeJS.Timeout | undefined;
  // Wakes partitions like a shard thread (actors/runtime/host.ts), by a clock that jumps once.
  const scheduler: Scheduler = {
    soon: (task) => void setImmediate(task),
    wakeAt(atMs, task) {
      clearTimeout(wake);
      wake = setTimeout(task, Math.min(60_000, Math.max(0, atMs - nowMs)));
    },
  };
  const machine = new TimerMachine();
  const partition = new Partition({
    index: 0,
    store,
    documents: new Documents(store),
    machine,
    clock: { now: () => nowMs, monotonic: () => nowMs },
    rng,
    scheduler,
    limits: { turnMessagesMax: perTurn },
    emit: () => undefined,
    onFatal: fail,
  });
  partition.start();
  try {
    const scheduled = await timed(() => scheduleAll(partition, rng));
    if (partition.timersPending !== timers) throw new Error('timers are missing');
    const logBytes = partition.figures.blockBytes / timers;
    const wheelBytes = wheelBytesOf(partition) / timers;
    nowMs = startMs + spanMs + 1;
    const fired = await timed(() => fireAll(partition, store, machine));
    if (machine.fired !== timers) throw new Error(`${machine.fired} of ${timers} fired`);
    return { schedule: timers / scheduled, fire: timers / fired, wheelBytes, logBytes };
  } finally {
    await partition.stop();
    clearTimeout(wake);
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** One message per timer; resolves when the last is durable. */
function scheduleAll(partition: Partition, rng: Rng): Promise<void> {
  let given = 0;
  let durable = 0;
  return new Promise((resolve, reject) => {
    const give = () => {
      if (given === timers) return;
      const message: SetTimer = { kind: 'set', dueMs: dueAt(rng), number: given++ };
      partition.deliver({
        to: 1,
        lane: 'bulk',
        deadlineMs: Number.POSITIVE_INFINITY,
        message,
        bytes: undefined,
        answer: (answer) => {
          if (!answer.ok) reject(new Error(answer.fault.message));
          else if (++durable === timers) resolve();
          else give();
        },
      });
    };
    for (let i = 0; i < Math.min(timers, turnsOutstanding * perTurn); i++) give();
  });
}

/** Resolves when all have fired and the last firing is durable. */
function fireAll(
  partition: Partition,
  store: { readonly durableSeq: number },
  machine: TimerMachine,
): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (machine.fired < timers || store.durableSeq < partition.seq) return;
      clearInterval(look);
      resolve();
    }, 1);
    partition.nudge();
  });
}

/** The wheel's size for the pending timers, by restoring its snapshot into a wheel of our own. */
function wheelBytesOf(partition: Partition): number {
  for (const { name, value } of partition.parts())
    if (name === 'runtime')
      return TimerWheel.restore((value as { readonly wheel: TimerWheelSnapshot }).wheel).byteLength;
  throw new Error('a snapshot has no timers');
}

/** Rows keyed by (due, id), a thousand per commit; found by range and removed the same way. */
async function rows(rng: Rng): Promise<Pick<Rates, 'schedule' | 'fire'>> {
  const path = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const database = open<Uint8Array, [number, number]>({
    path,
    encoding: 'binary',
    overlappingSync: false,
  });
  const value = Buffer.alloc(24, 7);
  try {
    const scheduled = await timed(async () => {
      const commits: Promise<unknown>[] = [];
      for (let i = 0; i < timers; ) {
        const end = Math.min(i + perTurn, timers);
        let last: Promise<boolean> | undefined;
        for (; i < end; i++) last = database.put([dueAt(rng), i], value);
        commits.push(last ?? Promise.resolve());
        // two commits in flight, as the partition has
        if (commits.length >= 2) await commits.shift();
      }
      await Promise.all(commits);
    });
    const fired = await timed(async () => {
      for (;;) {
        let last: Promise<boolean> | undefined;
        for (const key of database.getKeys({ limit: perTurn })) last = database.remove(key);
        if (last === undefined) return;
        await last;
      }
    });
    return { schedule: timers / scheduled, fire: timers / fired };
  } finally {
    await database.close();
    rmSync(path, { recursive: true, force: true });
  }
}

function dueAt(rng: Rng): Millis {
  return Math.floor(startMs + 1 + (rng.uint32() / 2 ** 32) * spanMs);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1000;
}

function fail(error: unknown): never {
  throw error;
}

const mine: Rates[] = [];
const theirs: Pick<Rates, 'schedule' | 'fire'>[] = [];
for (let round = 0; round < rounds; round++) {
  mine.push(await ours(seededRng(round, 'ours')));
  theirs.push(await rows(seededRng(round, 'rows')));
}
const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;
console.log(
  `${timers.toLocaleString('en')} timers over 30 days, medians of ${rounds}, all durable`,
);
for (const what of ['schedule', 'fire'] as const) {
  const own = middle(mine.map((rates) => rates[what]));
  const other = middle(theirs.map((rates) => rates[what]));
  console.log(
    `${what.padEnd(9)} ${Math.round(own).toLocaleString('en').padStart(9)} /s   sorted rows ${Math.round(other).toLocaleString('en').padStart(9)} /s   ${(own / other).toFixed(1)} times`,
  );
}
const [first] = mine as [Rates];
console.log(
  `memory    ${first.wheelBytes.toFixed(1)} bytes a pending timer, ${((first.wheelBytes * 1e6) / 1e6).toFixed(0)} MB a million; log ${first.logBytes.toFixed(1)} bytes a timer`,
);
