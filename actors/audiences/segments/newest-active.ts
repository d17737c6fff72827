// A page of people by their last activity, without sorting all of them: kernels count who was
// active from a second on, which narrows down where the page lies, and only what is there is put
// in order. A sample says where to look first.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import {
  clear,
  copyIn,
  copyOut,
  countMembers,
  intersect,
  type ScratchSet,
  scratchSets,
} from '../../../engine/columns/sets.ts';
import type { LastSeen } from './last-seen.ts';

/** People that are sorted instead of narrowed down further. */
const sortedMax = 4_096;
const sampled = 256;
/** Seconds since the epoch fit into 32 bits. */
const endOfTime = 2 ** 32 - 1;

/** Seconds: so many people, `count`, were active from the second on. */
interface Bound {
  readonly second: number;
  readonly count: number;
}

/**
 * The people from place `offset` on, at most `limit`: the last active first, then those who never
 * were; where equal, the newest first.
 */
export function newestActive(
  among: Bitset,
  activity: Pick<LastSeen, 'at' | 'addFrom'>,
  next: PersonOrdinal,
  offset: number,
  limit: number,
): PersonOrdinal[] {
  const sets = scratchSets();
  sets.begin(next, 2);
  copyIn(among, sets.at(0));
  const activeFrom = (second: number): ScratchSet => {
    const found = sets.at(1);
    clear(found);
    activity.addFrom(second, found);
    intersect(found, sets.at(0));
    return found;
  };
  const countFrom = (second: number): Bound => ({
    second,
    count: countMembers(activeFrom(second)),
  });
  const guesses = sampleOf(among, activity, next);
  const page: PersonOrdinal[] = [];
  const first = countFrom(1);
  let high: Bound = { second: endOfTime, count: 0 };
  while (page.length < limit && offset + page.length < first.count) {
    const place = offset + page.length;
    const range = narrowed(first, high, place, guesses, countFrom);
    const inside = copyOut(activeFrom(range.low.second));
    inside.andNot(copyOut(activeFrom(range.high.second)));
    const skipped = place - range.high.count;
    const most = limit - page.length;
    const isLight = range.low.count - range.high.count <= sortedMax;
    page.push(...(isLight ? sortedPart : placedPart)(inside, activity, skipped, most));
    high = range.low;
  }
  if (page.length === limit) return page;
  const never = among.clone().andNot(copyOut(activeFrom(1)));
  return [...page, ...newestOf(never, offset + page.length - first.count, limit - page.length)];
}

/** The newest people of a set from a place on. */
export function newestOf(among: Bitset, offset: number, limit: number): PersonOrdinal[] {
  const page: PersonOrdinal[] = [];
  let person = among.at(among.count() - 1 - offset);
  for (; person >= 0 && page.length < limit; person = among.previousFrom(person - 1)) {
    page.push(person);
    if (person === 0) break;
  }
  return page;
}

/** Seconds between which few people lie, or one second; the place is among them. */
function narrowed(
  first: Bound,
  last: Bound,
  place: number,
  guesses: readonly number[],
  countFrom: (second: number) => Bound,
): { readonly low: Bound; readonly high: Bound } {
  let low = first;
  let high = last;
  const share = place / first.count;
  while (high.second - low.second > 1 && low.count - high.count > sortedMax) {
    const guess = guessIn(guesses, low.second, high.second, share);
    const found = countFrom(guess);
    if (found.count > place) low = found;
    else high = found;
  }
  return { low, high };
}

/** The sampled second nearest to the place, between the bounds; else the middle of them. */
function guessIn(guesses: readonly number[], low: number, high: number, share: number): number {
  const target = Math.floor(share * guesses.length);
  for (let away = 0; away < guesses.length; away++) {
    for (const at of [target - away, target + away]) {
      const second = guesses[at];
      if (second !== undefined && second > low && second < high) return second;
    }
  }
  const middle = Math.floor((low + high) / 2);
  if (high < endOfTime) return middle;
  // Above the sample: few were active much later than its newest.
  return Math.min(middle, low + Math.ceil((low - (guesses.at(-1) ?? 0)) / 16) + 1);
}

/** Seconds of some active people, the newest first. */
function sampleOf(
  among: Bitset,
  activity: Pick<LastSeen, 'at'>,
  next: PersonOrdinal,
): readonly number[] {
  const seconds: number[] = [];
  const stride = Math.max(1, Math.floor(next / sampled));
  for (let from = 0; from < next && seconds.length < sampled; from += stride) {
    const person = among.nextFrom(from);
    if (person < 0) break;
    const atMs = activity.at(person);
    if (atMs > 0) seconds.push(Math.floor(atMs / 1000));
  }
  return seconds.sort((one, other) => other - one);
}

type PartOf = (
  inside: Bitset,
  activity: Pick<LastSeen, 'at'>,
  skipped: number,
  most: number,
) => PersonOrdinal[];

/** Of few people, from a place on. */
const sortedPart: PartOf = (inside, activity, skipped, most) => {
  const people: { readonly person: PersonOrdinal; readonly atMs: Millis }[] = [];
  inside.forEach((person) => {
    people.push({ person, atMs: activity.at(person) });
  });
  people.sort((one, other) => other.atMs - one.atMs || other.person - one.person);
  return people.slice(skipped, skipped + most).map(({ person }) => person);
};

/** Of the many people of one second: each has a place by its millisecond and its ordinal. */
const placedPart: PartOf = (inside, activity, skipped, most) => {
  const places = new Uint32Array(1_001);
  const millisOf = (person: PersonOrdinal) => activity.at(person) % 1000;
  inside.forEach((person) => {
    const millis = millisOf(person);
    places[millis] = (places[millis] as number) + 1;
  });
  // How many were active later, and then how many of them come before.
  let later = 0;
  for (let millis = 999; millis >= 0; millis--) {
    const here = places[millis] as number;
    later += here;
    places[millis] = later; // the place after the last of this millisecond
  }
  const part: PersonOrdinal[] = [];
  let found = 0;
  inside.forEach((person) => {
    const millis = millisOf(person);
    const place = (places[millis] as number) - 1;
    places[millis] = place;
    if (place < skipped || place >= skipped + most) return;
    part[place - skipped] = person;
    found++;
  });
  return part.slice(0, found);
};
