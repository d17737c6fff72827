// When a shard's partitions get their checkpoints; then drops log that is no longer needed. Pool
// tasks (`tasks.ts`) make them, one per process: each holds a second copy of the memory.

import type { PartitionFigures } from '../../engine/actor/partition-options.ts';
import type { PartitionStore } from '../../engine/actor/store.ts';
import { type Bytes, type Millis, minuteMs, type Seq } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { Pool } from '../../engine/thread/pool.ts';
import { type SharedGate, StopFlag } from '../../engine/thread/shared-word.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { nextCount } from '../../storage/log.ts';
import { limits } from '../limits.ts';
import type { CheckpointResult, PoolResult, PoolTask } from './tasks.ts';

/** A partition that was just opened. */
export interface CheckpointedPartition {
  readonly index: number;
  readonly store: Pick<PartitionStore, 'durableSeq' | 'oldestSeq' | 'dropBlocks'>;
  readonly figures: Pick<PartitionFigures, 'entries' | 'blockBytes' | 'commits'>;
  /** Of the checkpoint it started from; 0 and the present without one. */
  readonly seq: Seq;
  readonly madeMs: Millis;
  /** Of that checkpoint on disk; 0 without one. */
  readonly checkpointBytes: Bytes;
  /** What was replayed of the log after it. */
  readonly tailEntries: number;
  readonly tailBytes: Bytes;
  /** Why none may be made now, as a sentence: the log is needed for something else. */
  heldBy(): string | undefined;
}

interface CheckpointsOptions {
  readonly dataDir: string;
  readonly pool: Pick<Pool<PoolTask, PoolResult>, 'run'>;
  readonly gate: SharedGate;
  readonly clock: Clock;
  readonly log: Log;
  /** Low disk: checkpoints are made if they fit, since only they let log be dropped. */
  readonly disk: { readonly low: boolean; readonly freeBytes: Bytes };
}

/** A partition's log since its last checkpoint. */
interface Tail extends Pick<CheckpointedPartition, 'index' | 'store' | 'figures' | 'heldBy'> {
  seq: Seq;
  checkpointBytes: Bytes;
  /** On the monotonic clock. */
  madeAt: Millis;
  retryAt: Millis;
  /** Consecutive failures. */
  failures: number;
  /** The store's figures when the tail was empty; negative after a replay. */
  entriesAt: number;
  bytesAt: Bytes;
  wanted: Wanted[];
  /** Its files are about to be closed. */
  isOver?: boolean;
}

interface Wanted {
  readonly sweep: boolean;
  resolve(result: CheckpointResult): void;
  reject(error: unknown): void;
}

/** Doubled per failure, up to 16 times: what cannot be folded stays so until a restart. */
const retryMs = minuteMs;
const retryDoublings = 4;
/** Room that a checkpoint needs on a low disk, in sizes of the last one plus the log after it. */
const roomFactor = 2;
/** A clean stop starts no further checkpoint after this long. */
const stopMs = 10_000;

/** Call `tick` about once a second. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #tails = new Map<number, Tail>();
  #running:
    | { readonly tail: Tail; readonly stop: StopFlag; readonly done: Promise<void> }
    | undefined;
  #stopping = false;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  add(partition: CheckpointedPartition): void {
    const { index, store, figures, seq, madeMs, checkpointBytes, tailEntries, tailBytes } =
      partition;
    const { clock } = this.#options;
    const tail: Tail = {
      index,
      store,
      figures,
      heldBy: () => partition.heldBy(),
      seq,
      checkpointBytes,
      // If the clock was set back, the checkpoint counts as made at this start.
      madeAt: clock.monotonic() - Math.max(0, clock.now() - madeMs),
      retryAt: 0,
      failures: 0,
      entriesAt: figures.entries - tailEntries,
      bytesAt: figures.blockBytes - tailBytes,
      wanted: [],
    };
    const before = this.#tails.get(index);
    // Its memory was opened anew, over the same files: what is being made for it goes on.
    if (before !== undefined) Object.assign(before, { ...tail, wanted: before.wanted });
    else this.#tails.set(index, tail);
  }

  /** Resolves once nothing is made of its files any more. */
  async remove(index: number): Promise<void> {
    const tail = this.#tails.get(index);
    if (tail === undefined) return;
    this.#tails.delete(index);
    tail.isOver = true;
    if (this.#running?.tail === tail) {
      this.#running.stop.set();
      await this.#running.done;
    }
    for (const { reject } of tail.wanted.splice(0))
      reject(new Error(`partition ${index} is not here any more`));
  }

  /** Without a checkpoint and with little log, reading it here is cheaper than asking a thread. */
  isYoung(index: number): boolean {
    const tail = this.#tail(index);
    return tail.seq === 0 && bytesOf(tail) < limits.inlineReadBytes;
  }

  /** 0 for none. */
  seqOf(index: number): Seq {
    return this.#tail(index).seq;
  }

  /** Makes one soon, or rejects. `sweep`: even without news, to remove expired events. */
  now(index: number, sweep = false): Promise<CheckpointResult> {
    const tail = this.#tail(index);
    const made = new Promise<CheckpointResult>((resolve, reject) => {
      tail.wanted.push({ sweep, resolve, reject });
    });
    this.tick();
    return made;
  }

  /** Starts the checkpoint that is most due, unless this process is making another. */
  tick(): void {
    if (this.#running !== undefined || this.#stopping) return;
    this.#refuse();
    const tail = this.#mostDue();
    if (tail !== undefined) this.#start(tail);
  }

  /** Makes those that keep the next start fast, stops others, and waits for what is running. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonic() + stopMs;
    this.#stopping = true;
    if (this.#running !== undefined && !isLong(this.#running.tail)) this.#running.stop.set();
    await this.#running?.done;
    for (const tail of this.#tails.values()) {
      const isWanted = isLong(tail) && clock.monotonic() < until;
      if (isWanted && this.#obstacle(tail) === undefined && this.#start(tail)) {
        await this.#running?.done;
      }
      for (const wanted of tail.wanted.splice(0)) wanted.reject(new Error('Engage is stopping'));
    }
  }

  #tail(index: number): Tail {
    const tail = this.#tails.get(index);
    if (tail === undefined) throw new Error(`partition ${index} is not here`);
    return tail;
  }

  /** What was asked for, then the oldest overdue (against starvation), then the longest tail. */
  #mostDue(): Tail | undefined {
    const now = this.#options.clock.monotonic();
    let most: Tail | undefined;
    for (const tail of this.#tails.values()) {
      if (tail.wanted.length > 0) return tail;
      if (!isDue(tail, now, this.#options.disk.low) || this.#obstacle(tail) !== undefined) continue;
      if (most === undefined || goesBefore(tail, most, now)) most = tail;
    }
    return most;
  }

  /** Why none can be made now, as a sentence. */
  #obstacle(tail: Tail): string | undefined {
    const { low, freeBytes } = this.#options.disk;
    if (low && (tail.checkpointBytes + bytesOf(tail)) * roomFactor > freeBytes) {
      return `partition ${tail.index}: the disk is nearly full and has no room for a checkpoint`;
    }
    return tail.heldBy();
  }

  /** Rejects requests for checkpoints that cannot be made. */
  #refuse(): void {
    for (const tail of this.#tails.values()) {
      const reason = tail.wanted.length > 0 ? this.#obstacle(tail) : undefined;
      if (reason === undefined) continue;
      for (const { reject } of tail.wanted.splice(0)) reject(new Error(reason));
    }
  }

  /** False if another shard is making one. */
  #start(tail: Tail): boolean {
    if (!this.#options.gate.tryEnter()) return false;
    const stop = new StopFlag();
    const done = this.#make(tail, stop).finally(() => {
      this.#running = undefined;
      this.#options.gate.leave();
    });
    this.#running = { tail, stop, done };
    return true;
  }

  async #make(tail: Tail, stop: StopFlag): Promise<void> {
    const { dataDir, pool, clock, log, disk } = this.#options;
    const wanted = tail.wanted.splice(0);
    const startedMs = clock.monotonic();
    const { figures } = tail;
    const { entries: entriesAt, blockBytes: bytesAt } = figures;
    try {
      const result = (await pool.run({
        kind: 'checkpoint',
        dataDir,
        partition: tail.index,
        // Only what was durable before the task began and nothing held it back.
        through: tail.store.durableSeq,
        nowMs: clock.now(),
        sweep:
          wanted.some(({ sweep }) => sweep) ||
          isOverdue(tail, startedMs) ||
          (disk.low && wanted.length === 0 && tail.store.durableSeq === tail.seq),
        diskLow: disk.low,
        stop: stop.word,
      })) as CheckpointResult;
      for (const problem of result.problems) {
        log.error({ evt: 'checkpoint.problem', partition: tail.index, reason: problem }, problem);
      }
      if (result.outcome !== 'stopped') {
        tail.madeAt = startedMs;
        tail.failures = 0;
        // Figures of a memory that was thrown away meanwhile say nothing of the one of now.
        if (tail.figures === figures) Object.assign(tail, { entriesAt, bytesAt });
      }
      if (result.outcome === 'made') {
        tail.seq = result.seq;
        tail.checkpointBytes = result.bytes;
        const durMs = Math.round(clock.monotonic() - startedMs);
        const { seq, entries, events: count, bytes } = result;
        log.info({
          evt: 'checkpoint.made',
          partition: tail.index,
          seq,
          entries,
          count,
          bytes,
          durMs,
        });
        await this.#drop(tail, result.dropThrough);
      }
      for (const { resolve } of wanted) resolve(result);
    } catch (error) {
      tail.retryAt = clock.monotonic() + retryMs * 2 ** Math.min(tail.failures++, retryDoublings);
      log.error(
        { evt: 'checkpoint.failed', partition: tail.index, err: error },
        'no checkpoint was made; the log is kept',
      );
      for (const { reject } of wanted) reject(error);
    }
  }

  /** Drops a few megabytes of log per commit, so that no turn waits long behind one. */
  async #drop(tail: Tail, through: Seq): Promise<void> {
    const { store, figures } = tail;
    const meanBytes = figures.blockBytes / Math.max(1, figures.commits);
    const slice = Math.min(
      limits.dropBlocksMax,
      nextCount(limits.dropBlocksMax, limits.dropBlocksMax * meanBytes),
    );
    while (!this.#stopping && tail.isOver !== true && (await store.dropBlocks(through, slice)) > 0);
  }
}

function isDue(tail: Tail, now: Millis, diskLow: boolean): boolean {
  if (now < tail.retryAt) return false;
  if (isOverdue(tail, now)) return true;
  const { durableSeq, oldestSeq } = tail.store;
  // On a low disk, a second checkpoint frees the log that only the previous one needed.
  if (durableSeq === tail.seq && !(diskLow && oldestSeq < tail.seq)) return false;
  return (
    now - tail.madeAt >= limits.tailAgeMs ||
    tail.figures.entries - tail.entriesAt >= limits.tailEntriesMax ||
    bytesOf(tail) >= limits.tailBytesMax
  );
}

function isOverdue(tail: Tail, now: Millis): boolean {
  return now - tail.madeAt >= limits.sweepEveryMs;
}

function goesBefore(tail: Tail, other: Tail, now: Millis): boolean {
  const isLate = isOverdue(tail, now);
  if (isLate !== isOverdue(other, now)) return isLate;
  return isLate ? tail.madeAt < other.madeAt : bytesOf(tail) > bytesOf(other);
}

/** Whether replaying it would make the next start slow. */
function isLong(tail: Tail): boolean {
  return tail.figures.entries - tail.entriesAt > limits.stopTailEntries;
}

function bytesOf(tail: Tail): Bytes {
  return tail.figures.blockBytes - tail.bytesAt;
}
