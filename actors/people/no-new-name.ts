// Each different tag and event of an app is a column of its memory, so there are only so many of
// them.

import { limits } from '../limits.ts';

/** Why an app takes no new one, as a sentence. `keyless`: whoever asks has no API key. */
export function noNewName(what: 'events' | 'tags', keyless: boolean): string {
  return keyless
    ? `this app has ${limits.namesKeylessMax} different ${what}; adding another one requires an API key`
    : `an app has at most ${limits.namesMax} different ${what}`;
}
