// Reads when people did what a filter counts, in the pool: from history and the log, as of the
// newest durable block. Only what lies in the filter's longest window, without erased people.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { FoundRows } from '../../events/history/event-file.ts';
import type { EventHistory } from '../../events/history/event-history.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import type { BlockSource } from '../../events/read/read.ts';
import { storedRows } from '../../events/read/stored-read.ts';
import { NewestTimes } from './newest-times.ts';
import type { TimesRead } from './pool-read.ts';
import type { CountedTimes } from './protocol.ts';

type Take = (name: string, person: PersonOrdinal, atMs: Millis) => void;

/** Throws `LogGone` and what `history.find` throws: read the manifest again and retry. */
export function readTimes(read: TimesRead, log: BlockSource, history: EventHistory): CountedTimes {
  const columns = new Map(read.names.map(([name, kept]) => [name, new NewestTimes(kept)]));
  let next = 0;
  eachTime(read, log, history, (name, person, atMs) => {
    next = Math.max(next, person + 1);
    columns.get(name)?.add(person, atMs, next);
  });
  return [...columns].map(([name, column]) => [name, column.snapshot()]);
}

function eachTime(read: TimesRead, log: BlockSource, history: EventHistory, take: Take): void {
  const { app, fromMs, beforeSeq, person, erased, merged } = read;
  const names = read.names.map(([name]) => name);
  const wanted = {
    names,
    fromMs,
    ...(person === undefined ? {} : { person }),
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
  };
  const isWanted = new Set(names);
  const gone = new Set(erased);
  const canonical = new Map<PersonOrdinal, PersonOrdinal>();
  for (let i = 0; i < merged.length; i += 2)
    canonical.set(merged[i] as PersonOrdinal, merged[i + 1] as PersonOrdinal);
  const takeRows = ({ events, from, to }: FoundRows) => {
    for (let row = from; row < to; row++) {
      const name = events.name(row);
      if (!isWanted.has(name) || isByMachine(name, events, row)) continue;
      const stored = events.person(row);
      const whose = canonical.size === 0 ? stored : (canonical.get(stored) ?? stored);
      if (gone.has(whose) || (person !== undefined && whose !== person)) continue;
      const atMs = events.atMs(row);
      if (atMs <= fromMs || (beforeSeq !== undefined && events.seq(row) >= beforeSeq)) continue;
      take(name, whose, atMs);
    }
  };
  for (const found of storedRows(app, wanted, log, history)) takeRows(found);
  // The log was read for everyone at once, history only under the person's own ordinal.
  if (person !== undefined)
    for (const [alias, into] of canonical)
      if (into === person)
        for (const found of history.find(app, { ...wanted, person: alias })) takeRows(found);
}
