// Reads when people did what a filter counts, in the pool: from history and the log after it, as of the newest durable
// block. Only what lies in the filter's longest window, and nothing of people who were erased.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import { nextCount } from '../../storage/log.ts';
import { eventsOf } from '../events/log-events.ts';
import { type BlockSource, type HistorySource, LogGone } from '../events/read.ts';
import type { StoredEvents } from '../events/stored-events.ts';
import { EventTimes } from './event-times.ts';
import type { CountedTimes } from './protocol.ts';

/** What to read. */
export interface TimesRead {
  readonly app: Ordinal;
  readonly names: readonly string[];
  readonly fromMs: Millis;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and the person whose their events are; see `People.merged`. */
  readonly merged: Uint32Array;
}

const firstRead = 64;

/** The instants of these names. Throws `LogGone` and what `history.open` throws: read the manifest anew and try again. */
export function readTimes(
  { app, names, fromMs, erased, merged }: TimesRead,
  log: BlockSource,
  history: HistorySource,
): CountedTimes {
  const columns = new Map(names.map((name) => [name, new EventTimes()]));
  const gone = new Set(erased);
  const canonical = new Map<PersonOrdinal, PersonOrdinal>();
  for (let i = 0; i < merged.length; i += 2)
    canonical.set(merged[i] as PersonOrdinal, merged[i + 1] as PersonOrdinal);
  const take = (events: StoredEvents) => {
    for (let row = 0; row < events.count; row++) {
      const column = columns.get(events.name(row));
      if (column === undefined) continue;
      const atMs = events.atMs(row);
      const stored = events.person(row);
      const person = canonical.size === 0 ? stored : (canonical.get(stored) ?? stored);
      if (atMs > fromMs && !gone.has(person)) column.add(person, atMs, fromMs);
    }
  };
  for (const file of history.files) {
    if (file.app === app && file.maxAtMs > fromMs) take(history.open(file));
  }
  const { durableSeq } = log;
  let count = firstRead;
  for (let from = history.seq + 1; from <= durableSeq; ) {
    const blocks = log.blocks(from, Math.min(count, durableSeq - from + 1));
    if (blocks[0]?.seq !== from) throw new LogGone(`log block ${from} is gone`);
    let bytes = 0;
    for (const { block } of blocks) {
      bytes += block.length;
      for (const entry of decodeBlock(block).entries)
        if (entry.owner === app) for (const events of eventsOf(entry)) take(events);
    }
    from += blocks.length;
    count = nextCount(count, bytes);
  }
  return [...columns].map(([name, column]) => [name, column.snapshot()]);
}
