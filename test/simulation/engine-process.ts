// One life of the engine's process: its partitions with the whole product and all its threads. Its
// death takes everything with it but the disks.

import type { Effect } from '../../engine/actor/message.ts';
import { shardOf } from '../../engine/actor/placement.ts';
import type { Rng } from '../../engine/base/rng.ts';
import { whole } from './chance.ts';
import {
  type Checkpoint,
  type Disk,
  memoryOf,
  openPartition,
  type PartitionLife,
  type RunningAlone,
} from './partition-life.ts';
import { ProcessThreads } from './process-threads.ts';
import type { ProcessWorld } from './process-world.ts';

/** One life of the process. */
export class EngineProcess extends ProcessThreads<ProcessWorld> {
  readonly running: RunningAlone[] = [];

  /** `rng` drives everything that happens in this life. */
  constructor(world: ProcessWorld, disks: readonly Disk[], rng: Rng) {
    super(world, disks.length, rng);
    const life: PartitionLife = {
      world,
      rng,
      dispatchers: this.dispatchers,
      paces: this.paces,
      later: (delayMs, task) => this.later(delayMs, task),
      emit: (index: number, effect: Effect) => this.emit(index, effect),
    };
    for (const [index, disk] of disks.entries())
      this.running.push(openPartition(life, index, disk));
    for (const { partition } of this.running) partition.start();
  }

  /** Sends that are open in memory, rows of waves included. */
  openSends(): number {
    let count = 0;
    for (const { product } of this.running)
      for (const app of product.state.apps.values()) {
        count += app.outbox.jobs.size;
        for (const { open } of app.sending.waves.values()) count += open;
      }
    return count;
  }

  /** Deliveries of webhooks that have not ended, and those that are about to be stopped. */
  openDeliveries(): number {
    let count = 0;
    for (const { product } of this.running)
      for (const { webhooks } of product.state.apps.values()) {
        for (const { open } of webhooks.destinations.values()) count += open;
        if (webhooks.passes.stopping !== undefined) count++;
      }
    return count;
  }

  /**
   * Memory of a partition now, when all of it is durable; cloned, since live memory is not to be
   * kept.
   */
  checkpoint(index: number): Checkpoint | undefined {
    const { partition, store } = this.running[index] as RunningAlone;
    if (partition.seq !== store.durableSeq) return undefined;
    return { seq: partition.seq, memory: structuredClone(partition.snapshot()) };
  }

  /**
   * Dies at once. What is in flight is gone, except commits that had reached the disk with nobody
   * told.
   */
  crash(checkpoints: readonly (Checkpoint | undefined)[]): Disk[] {
    const disks = this.running.map(({ store, partition }, index) => {
      const survivors = whole(this.rng, 0, store.inFlight);
      const isWhole = survivors === store.inFlight && !store.failed;
      const memory = isWhole ? memoryOf(partition) : undefined;
      return { store: store.crash(survivors), checkpoint: checkpoints[index], memory };
    });
    this.die();
    return disks;
  }

  /**
   * Ends in the order of a real one: dispatchers let their calls end and say so behind their last
   * report, shards then stop their partitions. `done` gets the disks, unless the process dies on
   * the way.
   */
  drain(checkpoints: readonly (Checkpoint | undefined)[], done: (disks: Disk[]) => void): void {
    this.draining = true;
    let shardsLeft = this.shards;
    this.onShardEnded = (shard) => {
      const mine = this.running.filter((_, index) => shardOf(index, this.shards) === shard);
      Promise.all(mine.map(({ partition }) => partition.stop())).then(
        () => {
          if (--shardsLeft > 0) return;
          // The front has the last answers by then.
          this.later(this.world.faults().linkDelayMaxMs + 1, () => done(this.crash(checkpoints)));
        },
        (error: unknown) => this.world.findings.add('no_throw', String(error)),
      );
    };
    this.endDispatchers();
  }

  protected override target(index: number): RunningAlone | undefined {
    return this.running[index];
  }

  protected override reported(address: number) {
    return this.running[address]?.partition;
  }
}
