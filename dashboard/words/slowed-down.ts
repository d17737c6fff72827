// The sentence about a provider that asked for fewer messages.

import { clockTime } from '../time/relative.ts';

interface Slowed {
  readonly since: string | null;
  readonly until: string | null;
}

/** "Slowed down by the relay since 14:02, next attempt 14:17." `who` is its beginning. */
export function slowedDown(who: string, { since, until }: Slowed, nowMs: number): string {
  const from = since === null ? '' : ` since ${clockTime(Date.parse(since), nowMs)}`;
  const next =
    until === null ? 'next attempt due now' : `next attempt ${clockTime(Date.parse(until), nowMs)}`;
  return `${who}${from}, ${next}.`;
}
