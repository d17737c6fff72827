// Every filter that an app keeps: retention may not be shortened below their windows, and their
// counted names get columns. An area that keeps filters adds itself here.

import type { Filter } from './filter.ts';
import type { SegmentsView } from './memory.ts';

/** `what` can begin a sentence: `the flag "checkout"`. */
interface SavedFilter {
  readonly filter: Filter;
  readonly what: string;
}

/** Of segments, feature flags, in-app messages, journeys, and unfinished campaigns. */
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
