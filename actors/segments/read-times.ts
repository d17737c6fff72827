// Reads when people did what a filter counts, in the pool: from history and the log after it, as of the newest durable
// block. Only what lies in the filter's longest window, and nothing of people who were erased.

import type { Millis, Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { EventHistory } from '../events/history/event-history.ts';
import type { BlockSource } from '../events/read.ts';
import { storedRows } from '../events/stored-read.ts';
import { EventTimes } from './event-times.ts';
import type { CountedTimes } from './protocol.ts';

/** What to read. */
export interface TimesRead {
  readonly app: Ordinal;
  readonly names: readonly string[];
  readonly fromMs: Millis;
  readonly erased: readonly PersonOrdinal[];
}

/** The instants of these names. Throws `LogGone` and what `history.find` throws: read the manifest anew and try again. */
export function readTimes(
  { app, names, fromMs, erased }: TimesRead,
  log: BlockSource,
  history: EventHistory,
): CountedTimes {
  const columns = new Map(names.map((name) => [name, new EventTimes()]));
  const gone = new Set(erased);
  for (const { events, from, to } of storedRows(app, { names, fromMs }, log, history)) {
    for (let row = from; row < to; row++) {
      const column = columns.get(events.name(row));
      if (column === undefined) continue;
      const atMs = events.atMs(row);
      const person = events.person(row);
      if (atMs > fromMs && !gone.has(person)) column.add(person, atMs, fromMs);
    }
  }
  return [...columns].map(([name, column]) => [name, column.snapshot()]);
}
