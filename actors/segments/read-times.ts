// Reads when people did what a filter counts, in the pool: from history and the log after it, as of the newest durable
// block. Only what lies in the filter's longest window, and nothing of people who were erased.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import { nextCount } from '../../storage/log.ts';
import { eventsOf } from '../events/log-events.ts';
import { type BlockSource, type HistorySource, LogGone } from '../events/read.ts';
import type { StoredEvents } from '../events/stored-events.ts';
import type { LastSeenSnapshot } from './last-seen.ts';
import { NewestTimes } from './newest-times.ts';
import type { CountedName, CountedTimes } from './protocol.ts';

/** What to read. */
export interface TimesRead {
  readonly app: Ordinal;
  /** How many instants of each person to keep; with `person`, all are. */
  readonly names: readonly CountedName[];
  /** Only of this one. */
  readonly person?: PersonOrdinal;
  readonly fromMs: Millis;
  /** Only events with a smaller number in the app. */
  readonly beforeSeq?: number;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and the person whose their events are; see `People.merged`. */
  readonly merged: Uint32Array;
}

const firstRead = 64;

type Take = (name: string, person: PersonOrdinal, atMs: Millis) => void;

/** The instants of these names. Throws `LogGone` and what `history.open` throws: read the manifest anew and try again. */
export function readTimes(read: TimesRead, log: BlockSource, history: HistorySource): CountedTimes {
  if (read.person !== undefined) return timesOfOne(read, log, history);
  const columns = new Map(read.names.map(([name, kept]) => [name, new NewestTimes(kept)]));
  let next = 0;
  eachTime(read, log, history, (name, person, atMs) => {
    next = Math.max(next, person + 1);
    columns.get(name)?.add(person, atMs, next);
  });
  return [...columns].map(([name, column]) => [name, column.snapshot()]);
}

/** Every instant of one person, each a rank of its own. */
function timesOfOne(read: TimesRead, log: BlockSource, history: HistorySource): CountedTimes {
  const instants = new Map(read.names.map(([name]) => [name, [] as Millis[]]));
  const person = read.person as PersonOrdinal;
  eachTime(read, log, history, (name, _person, atMs) => instants.get(name)?.push(atMs));
  return [...instants].map(([name, times]) => {
    times.sort((a, b) => b - a);
    return [name, times.map((atMs): LastSeenSnapshot => ({ sparse: [[person, atMs]] }))];
  });
}

function eachTime(read: TimesRead, log: BlockSource, history: HistorySource, take: Take): void {
  const { app, names, person, fromMs, beforeSeq = Number.POSITIVE_INFINITY, erased, merged } = read;
  const wanted = new Set(names.map(([name]) => name));
  const gone = new Set(erased);
  const canonical = new Map<PersonOrdinal, PersonOrdinal>();
  for (let i = 0; i < merged.length; i += 2)
    canonical.set(merged[i] as PersonOrdinal, merged[i + 1] as PersonOrdinal);
  const takeRows = (events: StoredEvents, from = 0, to = events.count) => {
    for (let row = from; row < to; row++) {
      const name = events.name(row);
      if (!wanted.has(name)) continue;
      const atMs = events.atMs(row);
      const stored = events.person(row);
      const whose = canonical.size === 0 ? stored : (canonical.get(stored) ?? stored);
      if (atMs <= fromMs || gone.has(whose) || (person !== undefined && whose !== person)) continue;
      if (events.seq(row) < beforeSeq) take(name, whose, atMs);
    }
  };
  for (const file of history.files) {
    if (file.app !== app || file.maxAtMs <= fromMs || file.minSeq >= beforeSeq) continue;
    const block = history.open(file);
    if (person === undefined) takeRows(block);
    else {
      const theirs = [...canonical].flatMap(([alias, into]) => (into === person ? [alias] : []));
      for (const one of [person, ...theirs]) {
        const { from, to } = block.rowsOf(one);
        takeRows(block, from, to);
      }
    }
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
        if (entry.owner === app) for (const events of eventsOf(entry)) takeRows(events);
    }
    from += blocks.length;
    count = nextCount(count, bytes);
  }
}
