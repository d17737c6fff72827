// Limits an app's different tags and events, because each is a column of its memory. Names that
// only clients without an API key have used are bounded further, by app and by address.

import type { Seconds } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

/**
 * What the address of a keyless call may still name. The front keeps the count and gets the use in
 * the reply; without it only the app's own limits hold.
 */
export interface NameQuota {
  /** How many names it may still bring. */
  readonly mayName: number;
  /** Whole seconds until it may bring more. */
  readonly retryAfterSeconds: Seconds;
}

/** Names that a keyless call brought; for the front alone, never in a response. */
export interface NamesBrought {
  readonly namesBrought: number;
}

/** Why an app accepts no new one, as a sentence. */
export function nameLimitReached(what: 'events' | 'tags'): string {
  return `an app has at most ${limits.namesMax} different ${what}`;
}

/** Of tags, whose columns cannot make room for each other. */
export const unvouchedTagsReached = `this app has ${limits.namesKeylessMax} tags that only clients without an API key have used; adding another one requires an API key`;

export const addressNamesReached = `at most ${limits.keylessNamesPerHour} new names per hour from one address without an API key`;

/** Tags that logins set. They are never too many. */
export const loginTags: ReadonlySet<string> = new Set(['language', 'timezone']);
