// The only place that reads the machine's clocks. Everything else is handed an instant.

import type { Millis } from '../base/brand.ts';

export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. */
  now(): Millis;
  /** Milliseconds that never run backwards, for measuring lengths. */
  monotonic(): Millis;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
