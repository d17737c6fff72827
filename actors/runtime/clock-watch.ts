// Confirms the clock of a shard's partitions: once a second it asks what the operator's sources
// know, while a partition is in doubt. Evidence counts if it is newer than the doubt.

import type { Partition } from '../../engine/actor/partition.ts';
import { type Millis, minuteMs } from '../../engine/base/brand.ts';
import type { SharedInstant } from '../../engine/thread/shared-word.ts';
import type { Clock } from '../../engine/time/clock.ts';

export type ClockWitness = 'kernel' | 'providers';

/** Asking the kernel may start a process. */
const kernelEveryMs: Millis = minuteMs;

type Watched = Pick<Partition, 'clock' | 'confirmClock' | 'watchClock'>;

export interface ClockWatchOptions {
  readonly sources: readonly ClockWitness[];
  readonly clock: Clock;
  /** When a provider's clock last agreed with this one. */
  readonly agreed: SharedInstant;
  isKernelSynchronized(): Promise<boolean>;
}

export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #kernelAskedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Call every second. */
  tick(partitions: readonly Watched[]): void {
    const { sources, agreed } = this.#options;
    for (const partition of partitions) {
      partition.watchClock();
      const { doubtedMs } = partition.clock;
      if (doubtedMs === undefined || !sources.includes('providers')) continue;
      if (agreed.ms > doubtedMs) partition.confirmClock('provider');
    }
    const inDoubt = partitions.filter(({ clock }) => clock.doubtedMs !== undefined);
    if (inDoubt.length > 0 && sources.includes('kernel')) void this.#askKernel(inDoubt);
  }

  async #askKernel(partitions: readonly Watched[]): Promise<void> {
    const { clock, isKernelSynchronized } = this.#options;
    const at = clock.monotonic();
    if (this.#isAsking || at - this.#kernelAskedAt < kernelEveryMs) return;
    this.#kernelAskedAt = at;
    this.#isAsking = true;
    // What happened to the clock meanwhile is another doubt, which this answer does not settle.
    const doubts = partitions.map((one) => one.clock.doubtedMs);
    const isSynchronized = await isKernelSynchronized();
    this.#isAsking = false;
    if (!isSynchronized) return;
    for (const [index, one] of partitions.entries())
      if (one.clock.doubtedMs === doubts[index]) one.confirmClock('kernel');
  }
}
