// The time of a member in a server.

import { sharedMonotonic, systemClock } from '../../../engine/time/clock.ts';
import type { MemberTime } from './ports.ts';

export const systemTime: MemberTime = {
  monotonic: sharedMonotonic,
  wall: () => systemClock.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every: (ms, task) => {
    const timer = setInterval(task, ms);
    return () => clearInterval(timer);
  },
};
