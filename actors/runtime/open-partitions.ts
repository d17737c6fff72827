// The partitions that a shard has open, and all that looks at each of them: checkpoints, the disk,
// long reads, counted names. In a cluster, partitions open and close while the shard runs.

import type { Log } from '../../engine/observe/log.ts';
import { Pool } from '../../engine/thread/pool.ts';
import { SharedGate } from '../../engine/thread/shared-word.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { CountedNames } from '../audiences/segments/counted-names.ts';
import { type CheckpointedPartition, Checkpoints } from './checkpoints.ts';
import { DiskWatch } from './disk-watch.ts';
import type { RunningPartition } from './open-partition.ts';
import type { ShardData } from './protocol.ts';
import { ShardReads } from './shard-reads.ts';
import type { PoolResult, PoolTask } from './tasks.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const poolEntry = new URL(`./tasks.${extension}`, import.meta.url);

/** One and what belongs to its memory alone. */
interface Open {
  readonly running: RunningPartition;
  readonly counted: CountedNames;
}

export class OpenPartitions {
  readonly checkpoints: Checkpoints;
  readonly disk: DiskWatch;
  readonly reads: ShardReads;
  readonly #partitions: number;
  readonly #open = new Map<number, Open>();
  /** A pool of its own, soon idle: a checkpoint leaves a copy of a partition's memory behind. */
  readonly #folder = new Pool<PoolTask, PoolResult>({ entry: poolEntry, maxThreads: 1 });

  constructor(data: ShardData, log: Log) {
    const { dataDir, partitions } = data;
    this.#partitions = partitions;
    this.disk = new DiskWatch({
      dataDir,
      partitions,
      hasBallast: data.hasBallast === true && data.index === 0,
      log,
    });
    this.checkpoints = new Checkpoints({
      dataDir,
      pool: this.#folder,
      gate: new SharedGate(data.checkpointGate),
      clock: systemClock,
      log,
      disk: this.disk.guard,
    });
    this.reads = new ShardReads({
      dataDir,
      entry: poolEntry,
      isYoung: (partition) => this.checkpoints.isYoung(partition),
      log,
    });
  }

  /** Memory that was opened, also if it takes the place of the memory of before. */
  add(running: RunningPartition, tail: CheckpointedPartition): void {
    this.#open.get(running.index)?.running.scheduler.end();
    this.checkpoints.add(tail);
    this.#open.set(running.index, { running, counted: this.reads.countedNamesOf(running) });
  }

  /** Resolves once nothing here uses the partition's files any more, besides who opened it. */
  async remove(index: number): Promise<void> {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#open.delete(index);
    open.running.scheduler.end();
    open.running.erasures.flush();
    await this.checkpoints.remove(index);
  }

  of(index: number): RunningPartition | undefined {
    return this.#open.get(index)?.running;
  }

  /** To which reports for this address go; see `OpenedMemory`. */
  at(address: number): RunningPartition | undefined {
    const running = this.of(address % this.#partitions);
    return running?.address === address ? running : undefined;
  }

  get all(): readonly RunningPartition[] {
    return [...this.#open.values()].map(({ running }) => running);
  }

  /** Those that take turns, which a standby does not. */
  get started(): readonly RunningPartition[] {
    return this.all.filter(({ partition }) => partition.isStarted);
  }

  /** Once a second. */
  tick(): void {
    const { all } = this;
    this.disk.tick(all);
    for (const { erasures } of all) erasures.flush();
    this.checkpoints.tick();
    for (const { running, counted } of this.#open.values())
      if (running.partition.isStarted) counted.tick();
  }

  /** Behind the last turn: what is still open is closed. */
  async stop(): Promise<void> {
    await this.checkpoints.stop();
    await Promise.all([this.reads.close(), this.#folder.close()]);
    await Promise.all(this.all.map(({ store }) => store.close()));
  }
}
