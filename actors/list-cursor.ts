// Cursors of lists ordered by a number: people by ordinal; events, campaigns and journeys by their
// number in the app; recipients and runs by where a walk stopped. A cursor names its list and app,
// so it cannot be used in another.

import type { Ordinal } from '../engine/base/brand.ts';

const letters = {
  people: 'p',
  events: 'e',
  campaigns: 'c',
  journeys: 'j',
  recipients: 'r',
  runs: 'w',
} as const;

export function listCursor(list: keyof typeof letters, app: Ordinal, place: number): string {
  return `${letters[list]}${app.toString(36)}-${place.toString(36)}`;
}

/** `undefined` for any text that is no cursor of this list and app. */
export function placeOfCursor(
  list: keyof typeof letters,
  app: Ordinal,
  cursor: string,
): number | undefined {
  const [, letter, owner = '', place = ''] =
    /^([pecjrw])([0-9a-z]{1,7})-([0-9a-z]{1,11})$/.exec(cursor) ?? [];
  if (letter !== letters[list] || owner !== app.toString(36)) return undefined;
  const number = Number.parseInt(place, 36);
  return Number.isSafeInteger(number) ? number : undefined;
}
