// Cursors of lists that go by a number: of people by ordinal, of events, campaigns and journeys by
// their number in the app. A cursor says of which list and which app it is, since the number alone
// would lead somewhere in any of them, without a word.

import type { Ordinal } from '../engine/base/brand.ts';

const letters = { people: 'p', events: 'e', campaigns: 'c', journeys: 'j' } as const;

/** The cursor of a place in an app's list. */
export function listCursor(list: keyof typeof letters, app: Ordinal, place: number): string {
  return `${letters[list]}${app.toString(36)}-${place.toString(36)}`;
}

/** The place that a cursor of this list and app names; `undefined` for any other text. */
export function placeOfCursor(
  list: keyof typeof letters,
  app: Ordinal,
  cursor: string,
): number | undefined {
  const [, letter, owner = '', place = ''] =
    /^([pecj])([0-9a-z]{1,7})-([0-9a-z]{1,11})$/.exec(cursor) ?? [];
  if (letter !== letters[list] || owner !== app.toString(36)) return undefined;
  const number = Number.parseInt(place, 36);
  return Number.isSafeInteger(number) ? number : undefined;
}
