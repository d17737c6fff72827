// Waits before retrying a provider: exponential with full jitter, which the caller draws, so that
// sends that failed together do not retry together.

import { type Millis, minuteMs, secondMs } from '../base/brand.ts';

/** The longest first wait; each further one may double. */
const baseMs: Millis = secondMs;
/** The longest wait, unless the provider asks for more. */
const capMs: Millis = 15 * minuteMs;

/** After `failed` failures, at least 1. */
export function longestWaitMs(failed: number): Millis {
  return Math.min(capMs, baseMs * 2 ** (failed - 1));
}
