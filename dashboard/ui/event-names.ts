// Names of events to choose from: the app's own, and behind them those that Engage records.

import type { Fields } from '../api/generated.ts';
import { words } from '../words/en.ts';
import { count } from './figure.tsx';
import type { Suggestion } from './suggestions.tsx';

export function eventSuggestions(
  fields: Fields | undefined,
  hintOf: (people: number) => string = count,
): readonly Suggestion[] {
  return (fields?.events ?? []).map(({ name, origin, people }) => ({
    value: name,
    hint: hintOf(people),
    group: words.eventOrigins[origin],
  }));
}
