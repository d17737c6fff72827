// What bounds the people that calls without a key make.

import { type Millis, minuteMs, type Seconds } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

/**
 * What the address of a keyless call may still do in this app. The front holds it meanwhile and is
 * told in the reply how much of it was used; without it only the app's own bound holds.
 */
export interface KeylessRoom {
  /** How many people it may make. */
  readonly mayCreate: number;
  /** Whole seconds until it may make more. */
  readonly retryAfterSeconds: Seconds;
}

/** How many people a call made that nobody vouched for; for the front alone, never in an answer. */
export interface KeylessMade {
  readonly keylessCreated: number;
}

/** Why nobody more is made without a key, by the bound that is reached. */
export const appIsFull = `at most ${limits.keylessPeoplePerMinute} new people per minute in an app without an API key`;
export const addressIsFull = `at most ${limits.keylessPeoplePerAddress} new people per minute from one address without an API key`;

/** How many people may still be made without a key in this minute. */
export function keylessRoom(
  app: { readonly keylessMinute: number; readonly keylessCreated: number },
  nowMs: Millis,
): number {
  const used = app.keylessMinute === Math.floor(nowMs / minuteMs) ? app.keylessCreated : 0;
  return Math.max(0, limits.keylessPeoplePerMinute - used);
}
