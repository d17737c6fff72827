// Which events to read before an area's saved filters can be evaluated for one person: those that a
// filter counts (`atLeast` of two and more) and no whole column has. Without them the condition
// would silently be false, so ask here first, and refuse while something is missing.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { fault } from '../../faults.ts';
import type { PeopleReads } from '../../people/audience/reads.ts';
import { cutOf, uncounted } from './evaluate.ts';
import { type Filter, longestWindowDays } from './filter.ts';
import type { UncountedTimes } from './protocol.ts';
import type { TraitsReads } from './reads.ts';

export const nothingUncounted: UncountedTimes = {
  names: [],
  fromMs: 0,
  erased: [],
  merged: new Uint32Array(0),
};

/** What to read of one existing person for these filters; no names if the columns are enough. */
export function uncountedTimes(
  filters: Iterable<Filter>,
  {
    traits,
    people,
  }: { readonly traits: TraitsReads; readonly people: Pick<PeopleReads, 'mergedInto'> },
  person: PersonOrdinal,
  nowMs: Millis,
): UncountedTimes {
  const names = new Map<string, number>();
  let days = 0;
  for (const filter of filters) {
    const missing = uncounted(filter, traits);
    if (missing.length === 0) continue;
    for (const [name, kept] of missing) names.set(name, Math.max(kept, names.get(name) ?? 0));
    days = Math.max(days, longestWindowDays(filter));
  }
  const merged = people.mergedInto(person);
  return { names: [...names], person, fromMs: cutOf(days, nowMs), erased: [], merged };
}

/** A retryable refusal, if a filter or a column changed between the read and the question. */
export function stillUncounted(filters: Iterable<Filter>, traits: TraitsReads): Fault | undefined {
  for (const filter of filters) {
    if (uncounted(filter, traits).length > 0)
      return fault('not_started', 'a filter has just changed; retry', { retryAfterSeconds: 1 });
  }
  return undefined;
}
