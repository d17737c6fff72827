// How long to wait before a provider is called again: exponential with full jitter, so that a
// thousand sends that failed together do not come back together. The caller draws the jitter.

import { type Millis, minuteMs, secondMs } from '../base/brand.ts';

/** The longest first wait; each further one may be twice as long. */
const baseMs: Millis = secondMs;
/** No wait is longer, unless the provider asked for it. */
const capMs: Millis = 15 * minuteMs;

/** The longest that may be waited after `failed` failures, at least 1. */
export function longestWaitMs(failed: number): Millis {
  return Math.min(capMs, baseMs * 2 ** (failed - 1));
}
