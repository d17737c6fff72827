// The only reader of the machine's clocks; others receive an instant.

import type { Millis } from '../base/brand.ts';

export interface Clock {
  now(): Millis;
  /** Never runs backwards; for durations. */
  monotonic(): Millis;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
