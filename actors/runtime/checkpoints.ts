// When a shard's partitions get their checkpoints, and what follows one: the log it no longer needs
// is dropped. The work itself is a pool task (`tasks.ts`). One at a time in the whole process,
// since each holds a partition's memory once more; the shard only counts, and drops a bounded
// number of blocks a commit.

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
  /**
   * The seq and instant of the checkpoint it started from; 0 and the present when there was none.
   */
  readonly seq: Seq;
  readonly madeMs: Millis;
  /** What that checkpoint takes on disk; 0 for none. */
  readonly checkpointBytes: Bytes;
  /** What was replayed of the log after it. */
  readonly tailEntries: number;
  readonly tailBytes: Bytes;
  /**
   * Why none may be made of it now, as a sentence: the log is needed for something else.
   * `undefined` when one may.
   */
  heldBy(): string | undefined;
}

export interface CheckpointsOptions {
  readonly dataDir: string;
  readonly pool: Pick<Pool<PoolTask, PoolResult>, 'run'>;
  readonly gate: SharedGate;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * As of the last look. While it is low, one is made where there is room for it: it takes some
   * before it gives any back, but without any no log is ever dropped, and a disk that Engage filled
   * itself stays full.
   */
  readonly disk: { readonly low: boolean; readonly freeBytes: Bytes };
}

/** A partition's log since its last checkpoint. */
interface Tail {
  readonly index: number;
  readonly store: CheckpointedPartition['store'];
  readonly figures: CheckpointedPartition['figures'];
  heldBy(): string | undefined;
  seq: Seq;
  checkpointBytes: Bytes;
  /** On the monotonic clock. */
  madeAt: Millis;
  retryAt: Millis;
  /** How many failed since the last that did not. */
  failures: number;
  /**
   * Figures of the store when the tail was empty; below zero for what was replayed at the start.
   */
  entriesAt: number;
  bytesAt: Bytes;
  wanted: Wanted[];
}

interface Wanted {
  readonly sweep: boolean;
  resolve(result: CheckpointResult): void;
  reject(error: unknown): void;
}

/**
 * After a failure; twice as long after each further one, up to 16 times: what cannot be folded
 * stays so until a restart.
 */
const retryMs = minuteMs;
const retryDoublings = 4;
/**
 * Room that a checkpoint needs on a disk that is low, in sizes of the last one and of the log after
 * it.
 */
const roomFactor = 2;
/** A clean stop begins no further checkpoint after this long. */
const stopMs = 10_000;

/** The checkpoints of one shard. Call `tick` about once a second. */
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
    this.#tails.set(index, {
      index,
      store,
      figures,
      heldBy: () => partition.heldBy(),
      seq,
      checkpointBytes,
      // A clock that was set back makes a checkpoint no younger than this start.
      madeAt: clock.monotonic() - Math.max(0, clock.now() - madeMs),
      retryAt: 0,
      failures: 0,
      entriesAt: figures.entries - tailEntries,
      bytesAt: figures.blockBytes - tailBytes,
      wanted: [],
    });
  }

  /**
   * Whether there is no checkpoint yet and little log: reading all of it costs less than asking a
   * thread.
   */
  isYoung(index: number): boolean {
    const tail = this.#tail(index);
    return tail.seq === 0 && bytesOf(tail) < limits.inlineReadBytes;
  }

  /** The seq of the partition's newest checkpoint; 0 for none. */
  seqOf(index: number): Seq {
    return this.#tail(index).seq;
  }

  /**
   * Makes one as soon as it can, or rejects with why not. `sweep`: also when nothing is new;
   * expired events go now.
   */
  now(index: number, sweep = false): Promise<CheckpointResult> {
    const tail = this.#tail(index);
    const made = new Promise<CheckpointResult>((resolve, reject) => {
      tail.wanted.push({ sweep, resolve, reject });
    });
    this.tick();
    return made;
  }

  /**
   * Starts the checkpoint that is most due, if any is and nothing else is being made in this
   * process.
   */
  tick(): void {
    if (this.#running !== undefined || this.#stopping) return;
    this.#refuse();
    const tail = this.#mostDue();
    if (tail !== undefined) this.#start(tail);
  }

  /**
   * Makes those that a fast start would want, lets go of the others, and waits until nothing is
   * under way.
   */
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

  /**
   * What was asked for; then what is overdue, the oldest first, so that a busy partition keeps none
   * waiting; then the longest.
   */
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

  /** Why none can be made of it now, as a sentence. */
  #obstacle(tail: Tail): string | undefined {
    const { low, freeBytes } = this.#options.disk;
    if (low && (tail.checkpointBytes + bytesOf(tail)) * roomFactor > freeBytes) {
      return `partition ${tail.index}: the disk is nearly full and has no room for a checkpoint`;
    }
    return tail.heldBy();
  }

  /** Says why to those who asked for one that cannot be made. */
  #refuse(): void {
    for (const tail of this.#tails.values()) {
      const reason = tail.wanted.length > 0 ? this.#obstacle(tail) : undefined;
      if (reason === undefined) continue;
      for (const { reject } of tail.wanted.splice(0)) reject(new Error(reason));
    }
  }

  /** False when another shard is making one. */
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
    const entriesAt = tail.figures.entries;
    const bytesAt = tail.figures.blockBytes;
    try {
      const result = (await pool.run({
        kind: 'checkpoint',
        dataDir,
        partition: tail.index,
        // Everything that was durable when nothing held it back, and not what becomes durable while
        // it is made.
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
        tail.entriesAt = entriesAt;
        tail.bytesAt = bytesAt;
        tail.failures = 0;
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

  /**
   * Drops what no checkpoint needs, a few megabytes a commit, so that no turn waits long behind
   * one.
   */
  async #drop({ store, figures }: Tail, through: Seq): Promise<void> {
    const meanBytes = figures.blockBytes / Math.max(1, figures.commits);
    const slice = Math.min(
      limits.dropBlocksMax,
      nextCount(limits.dropBlocksMax, limits.dropBlocksMax * meanBytes),
    );
    while (!this.#stopping && (await store.dropBlocks(through, slice)) > 0);
  }
}

function isDue(tail: Tail, now: Millis, diskLow: boolean): boolean {
  if (now < tail.retryAt) return false;
  if (isOverdue(tail, now)) return true;
  const { durableSeq, oldestSeq } = tail.store;
  // On a disk that is low a second one lets the log go that only the one before the newest needed.
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

/** Whether its replay would make the next start slow. */
function isLong(tail: Tail): boolean {
  return tail.figures.entries - tail.entriesAt > limits.stopTailEntries;
}

function bytesOf(tail: Tail): Bytes {
  return tail.figures.blockBytes - tail.bytesAt;
}
