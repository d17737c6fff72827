// The only reader of the machine's clocks; others receive an instant.

import type { Millis } from '../base/brand.ts';

export interface Clock {
  now(): Millis;
  /** Never runs backwards; for durations. */
  monotonic(): Millis;
}

/** As `monotonic`, but its instants are the same in all threads of a process. */
export function sharedMonotonic(): Millis {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
