// What bounds the people that calls without a key make.

import type { Seconds } from '../../engine/base/brand.ts';

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
