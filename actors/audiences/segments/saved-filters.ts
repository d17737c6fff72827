// Every filter that an app keeps, wherever it is used: what must stay answerable. Retention may not
// be shortened below their windows, and what they count is what is worth counting ahead. An area
// that keeps filters adds itself here.

import type { Filter } from './filter.ts';
import type { SegmentsView } from './view.ts';

/** A kept filter, and whose it is in words that can begin a sentence: `the flag "checkout"`. */
interface SavedFilter {
  readonly filter: Filter;
  readonly what: string;
}

/**
 * The filters of segments, feature flags, in-app messages, journeys, and campaigns that are not
 * finished.
 */
export function* savedFilters(
  app: Pick<SegmentsView, 'segments' | 'flags' | 'inApp' | 'campaigns' | 'journeys'>,
): Generator<SavedFilter> {
  for (const { id, name, filter } of app.segments.values()) {
    yield { filter, what: `the segment "${name}" (${id})` };
  }
  for (const { record } of app.flags.values()) {
    const { key, filter } = record;
    if (filter !== undefined) yield { filter, what: `the flag "${key}"` };
  }
  for (const { id, filter } of app.inApp.records()) {
    if (filter !== undefined) yield { filter, what: `the in-app message ${id}` };
  }
  for (const { record, what } of app.campaigns.unfinished()) {
    const { filter } = record;
    if (filter !== undefined) yield { filter, what };
  }
  yield* app.journeys.filters();
}
