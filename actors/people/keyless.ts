// Limits on the people that calls without an API key create.

import { type Millis, minuteMs, type Seconds } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

/**
 * What the address of a keyless call may still create in this app. The front keeps the count and
 * gets the use in the reply; without it only the app's own limit holds.
 */
export interface KeylessQuota {
  /** How many people it may create. */
  readonly mayCreate: number;
  /** Whole seconds until it may create more. */
  readonly retryAfterSeconds: Seconds;
}

/** People created without proof of identity; for the front alone, never in a response. */
export interface KeylessCreated {
  readonly keylessCreated: number;
}

/** Why no more people are created without an API key, by the limit reached. */
export const appLimitReached = `at most ${limits.keylessPeoplePerMinute} new people per minute in an app without an API key`;
export const addressLimitReached = `at most ${limits.keylessPeoplePerAddress} new people per minute from one address without an API key`;

/** How many people may still be created without an API key in this minute. */
export function keylessLeft(
  app: { readonly keylessMinute: number; readonly keylessCreated: number },
  nowMs: Millis,
): number {
  const used = app.keylessMinute === Math.floor(nowMs / minuteMs) ? app.keylessCreated : 0;
  return Math.max(0, limits.keylessPeoplePerMinute - used);
}
