// Finds the member that a caller may have meant by an unknown one: the same word in another
// spelling, a part of it, one or two slips of the keys away, or the word of another product.

import { ignoredWarning, type UnknownMember } from './faults.ts';

/** Names of other products, and the member that does their work here. */
export type OtherNames = Readonly<Record<string, string>>;

/** At most so many are named in an answer. */
export const unknownMembersMax = 50;
/** Longer names are cut. */
export const unknownNameCharsMax = 64;

/** What an answer says of a member that nobody reads. */
export function unknownWarning(field: string, meant: string | undefined): UnknownMember {
  if (meant === undefined) return { field, warning: ignoredWarning };
  return { field, warning: `unknown; did you mean ${meant}?`, meant };
}

/** The known member that was meant by `name`, if any. */
export function meantBy(
  name: string,
  known: readonly string[],
  others: OtherNames = {},
): string | undefined {
  const plain = plainName(name.slice(0, unknownNameCharsMax));
  for (const [other, meant] of Object.entries(others)) if (plainName(other) === plain) return meant;
  return nearName(name, known);
}

/** The closest of the known names; `undefined` if none is close. */
export function nearName(sent: string, known: readonly string[]): string | undefined {
  if (sent.length > unknownNameCharsMax) return undefined;
  const plain = plainName(sent);
  if (plain === '') return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const far = distance(plain, plainName(name));
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** Without case and separators: `external_user_id` is `externalUserId`. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Parts of many names that say nothing about which of them was meant. */
const commonWords: ReadonlySet<string> = new Set(['data', 'date', 'name', 'time', 'type', 'value']);

/** 0 for the same name, infinite for one that is too far away. */
function distance(sent: string, known: string): number {
  if (sent === known) return 0;
  const [short, long] = sent.length < known.length ? [sent, known] : [known, sent];
  const isCommon = short === sent && commonWords.has(sent);
  const isPart = short.length >= 4 && !isCommon && (long.startsWith(short) || long.endsWith(short));
  const slipsMax = isPart ? 1.5 : short.length <= 4 ? 1 : 2;
  // Each letter that one has more is a slip. Strangers' names are long, and counting costs.
  const isFar = long.length - short.length > slipsMax;
  const slips = isFar ? Number.POSITIVE_INFINITY : slipsBetween(sent, known);
  if (isPart) return Math.min(slips, slipsMax);
  return slips <= slipsMax ? slips : Number.POSITIVE_INFINITY;
}

/** Letters to insert, remove, change or swap with their neighbor (optimal string alignment). */
function slipsBetween(left: string, right: string): number {
  let above: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let slips = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwap) slips = Math.min(slips, at(above, j - 2) + 1);
      next.push(slips);
    }
    above = row;
    row = next;
  }
  return at(row, right.length);
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY;
}
