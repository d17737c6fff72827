// When a partition in a thread of its own takes its turns.

import type { Scheduler } from '../actor/partition-options.ts';
import { systemClock } from '../time/clock.ts';

export interface ThreadScheduler extends Scheduler {
  end(): void;
}

/** Turns run in the check phase, after deliveries; one timer wakes the partition. */
export function threadScheduler(): ThreadScheduler {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
    soon: (task) => void setImmediate(task),
    wakeAt: (atMs, task) => {
      clearTimeout(timer);
      if (ended) return;
      // At most a minute: notices wall clock jumps, and a timeout cannot overflow.
      timer = setTimeout(task, Math.min(60_000, Math.max(0, atMs - systemClock.now())));
    },
  };
}
