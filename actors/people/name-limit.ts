// Limits an app's different tags and events, because each is a column of its memory.

import { limits } from '../limits.ts';

/** Why an app accepts no new one, as a sentence. `keyless`: the caller has no API key. */
export function nameLimitReached(what: 'events' | 'tags', keyless: boolean): string {
  return keyless
    ? `this app has ${limits.namesKeylessMax} different ${what}; adding another one requires an API key`
    : `an app has at most ${limits.namesMax} different ${what}`;
}
