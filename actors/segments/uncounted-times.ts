// Which events have to be read before an area's kept filters can be answered: those that a filter counts (`atLeast` of two
// and more) and that no column has. Without them such a condition would silently be false, so whoever evaluates kept
// filters asks here first, and refuses to answer while something is missing.

import { dayMs, type Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { fault } from '../faults.ts';
import type { AppState } from '../state.ts';
import { uncounted } from './evaluate.ts';
import { type Filter, longestWindowDays } from './filter.ts';
import type { UncountedTimes } from './protocol.ts';
import type { Traits } from './traits.ts';

/** What to read for these filters; no names where the columns are enough. */
export function uncountedTimes(
  { traits, people }: Pick<AppState, 'traits' | 'people'>,
  filters: Iterable<Filter>,
  nowMs: Millis,
): UncountedTimes {
  const names = new Set<string>();
  let days = 0;
  for (const filter of filters) {
    const missing = uncounted(filter, traits);
    if (missing.length === 0) continue;
    for (const name of missing) names.add(name);
    days = Math.max(days, longestWindowDays(filter));
  }
  const erased = names.size === 0 ? [] : [...people.erased];
  return { names: [...names], fromMs: nowMs - days * dayMs, erased };
}

/** A refusal to try again on, where a filter was kept between the reading and the question; `undefined` otherwise. */
export function stillUncounted(filters: Iterable<Filter>, traits: Traits): Fault | undefined {
  for (const filter of filters) {
    if (uncounted(filter, traits).length === 0) continue;
    return fault('not_started', 'a filter has just changed; try again', { retryAfterSeconds: 1 });
  }
  return undefined;
}
