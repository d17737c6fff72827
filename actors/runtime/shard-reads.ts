// Long reads of a shard: by its pool, or in this thread where a partition is small; one line for
// those that wait. A checkpoint never waits for them.

import { type Millis, minuteMs, type Ordinal } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import { Pool } from '../../engine/thread/pool.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { CountedNames } from '../audiences/segments/counted-names.ts';
import { timesRead } from '../audiences/segments/pool-read.ts';
import { previewRead } from '../content/messages/pool-read.ts';
import { InsightQueue } from '../insight-queue.ts';
import type { PoolRead, ReadingHost } from '../pool-question.ts';
import { ReadLine } from '../read-line.ts';
import type { RunningPartition } from './open-partition.ts';
import { runRead } from './reads.ts';
import type { PoolResult, PoolTask } from './tasks.ts';

/** One for an insight, one for short reads. */
const readThreads = 2;
/**
 * A reader keeps what it cached of files and log; without that a page takes ten times as long, so
 * it outlasts the pauses of somebody who works. It holds 20 MB after one page, 50 after a hundred.
 */
const readIdleMs = 5 * minuteMs;

interface ShardReadsOptions {
  readonly dataDir: string;
  /** The module of pool threads. */
  readonly entry: URL;
  /** Whether a partition has so little that a pool would take longer. */
  readonly isYoung: (partition: number) => boolean;
  readonly log: Pick<Log, 'error'>;
}

export class ShardReads {
  readonly #options: ShardReadsOptions;
  readonly #pool: Pool<PoolTask, PoolResult>;
  readonly #line = new ReadLine(readThreads, after);
  readonly #insights = new InsightQueue(after);

  constructor(options: ShardReadsOptions) {
    this.#options = options;
    this.#pool = new Pool<PoolTask, PoolResult>({
      entry: options.entry,
      maxThreads: readThreads,
      idleMs: readIdleMs,
    });
  }

  hostOf({ index, partition, store, settled }: RunningPartition): ReadingHost {
    const { dataDir, isYoung, log } = this.#options;
    return {
      partition,
      insights: this.#insights,
      read: async <What, Found>(
        app: Ordinal,
        { name }: PoolRead<What, Found>,
        what: What,
        own?: readonly ArrayBuffer[],
      ) => {
        // What was answered may be in the log that servers share, and not in the files yet.
        if (settled !== undefined) await settled();
        // A preview takes equally long whatever the partition holds.
        if (name !== previewRead.name && isYoung(index))
          return (await runRead(name, what, store, undefined)) as Found;
        const task: PoolTask = { kind: 'read', name, what, dataDir, partition: index };
        return (await this.#line.run(app, () => this.#pool.run(task, own))) as Found;
      },
      onFailed: (app, what, error) =>
        log.error(
          { evt: 'read.failed', partition: index, app, what, err: error },
          'a long read failed; its caller got an error',
        ),
    };
  }

  countedNamesOf(one: RunningPartition): CountedNames {
    const { partition, product, store, scheduler } = one;
    const host = this.hostOf(one);
    return new CountedNames({
      state: product.state,
      seq: () => partition.seq,
      durableSeq: () => store.durableSeq,
      now: () => systemClock.now(),
      read: (app, read) => host.read(app, timesRead, read),
      soon: (task) => scheduler.soon(task),
      onWhole: (app) => {
        product.columnsBecameWhole(app);
        partition.nudge();
      },
      onFailed: (app, error) => host.onFailed(app, 'times', error),
    });
  }

  /** No insight begins any more. */
  stop(): void {
    this.#insights.stop();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

function after(ms: Millis, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}
