// When to try again. Providers: exponential with full jitter, so that a thousand sends that failed
// together do not come back together. Webhooks: the published schedule, with jitter that only ever
// makes it later.

import type { Millis } from '../base/brand.ts';
import { hourMs, minuteMs, secondMs } from '../base/brand.ts';
import { fraction, type Rng } from '../base/rng.ts';

/** How calls to a provider are retried. */
export interface RetryPolicy {
  /** The longest first wait; each further one may be twice as long. */
  readonly baseMs: Millis;
  /** No wait is longer, unless the provider asked for it. */
  readonly capMs: Millis;
  /** How often a call is tried in all, the first included. */
  readonly tries: number;
  /** How long after the first try a last one may start. */
  readonly giveUpAfterMs: Millis;
}

/** 1 s doubling to 15 min, 8 tries, 24 hours. */
export const providerRetries: RetryPolicy = {
  baseMs: secondMs,
  capMs: 15 * minuteMs,
  tries: 8,
  giveUpAfterMs: 24 * hourMs,
};

/** The waits between the six attempts of a webhook delivery. */
export const webhookWaitsMs: readonly Millis[] = [
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  8 * hourMs,
];

/** How a series of tries stands. */
export interface TriesSoFar {
  /** Tries that were made and failed; at least 1. */
  readonly failed: number;
  readonly firstAtMs: Millis;
  readonly nowMs: Millis;
  /** What the provider asked us to wait, if it did; no earlier try is given. */
  readonly retryAfterMs?: Millis;
}

/**
 * The instant of the next try: uniform in [now, now + min(cap, base · 2^(failed − 1))], rounded
 * down to a millisecond, and not before what the provider asked for. Undefined when tries or time
 * are used up. Draws once from `rng`, also when there is no next try, so that what comes after does
 * not depend on it.
 */
export function nextTryMs(
  tries: TriesSoFar,
  rng: Rng,
  policy: RetryPolicy = providerRetries,
): Millis | undefined {
  const jittered = Math.floor(fraction(rng) * (longestWaitMs(tries.failed, policy) + 1));
  if (tries.failed >= policy.tries) return undefined;
  const atMs = tries.nowMs + Math.max(jittered, tries.retryAfterMs ?? 0);
  return atMs - tries.firstAtMs > policy.giveUpAfterMs ? undefined : atMs;
}

/** The longest that may be waited after `failed` failures, in milliseconds. */
export function longestWaitMs(failed: number, policy: RetryPolicy = providerRetries): Millis {
  return Math.min(policy.capMs, policy.baseMs * 2 ** (failed - 1));
}

/**
 * The wait after `failed` failures of a fixed schedule, made up to a tenth longer; undefined when
 * the schedule is over. Draws once from `rng`.
 */
export function scheduledWaitMs(
  failed: number,
  waitsMs: readonly Millis[],
  rng: Rng,
): Millis | undefined {
  const jitter = fraction(rng) * 0.1;
  const waitMs = waitsMs[failed - 1];
  return waitMs === undefined ? undefined : waitMs + Math.floor(waitMs * jitter);
}
