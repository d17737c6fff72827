// Waits before retrying a provider: short for a hiccup, hours for an outage. The caller draws each
// wait between half of it and all of it (equal jitter), so that sends that failed together do not
// retry together.

import { hourMs, type Millis, minuteMs, secondMs } from '../base/brand.ts';

/** After the first failure, the second, and so on; the last one repeats. */
const waits: readonly Millis[] = [
  secondMs,
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
];

/** After `failed` failures, at least 1. */
export function longestWaitMs(failed: number): Millis {
  return waits[Math.min(failed, waits.length) - 1] as Millis;
}
