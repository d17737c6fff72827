// Reads an app's events, newest first: the log after the newest checkpoint, then that checkpoint's
// history. They meet at its seq, so no event is missing or doubled while the next one is made.

import { decodeBlock } from '../../../engine/actor/block.ts';
import type { Entry } from '../../../engine/actor/message.ts';
import type { Ordinal, PersonOrdinal, Seq } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { nextCount } from '../../../storage/log.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { WantedEvents } from '../history/event-file.ts';
import type { EventHistory } from '../history/event-history.ts';
import type { EventsOf } from '../log/entry-facts.ts';
import type { ReferenceName } from '../log/event-rows.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import type { EventQuery, EventView } from '../protocol.ts';
import type { TailIndex } from './tail-index.ts';

export interface BlockSource {
  readonly durableSeq: Seq;
  readonly oldestSeq: Seq;
  blocks(from: Seq, limit: number): readonly { readonly seq: Seq; readonly block: Uint8Array }[];
  readonly eventsOf: EventsOf;
}

interface EventSources {
  readonly log: BlockSource;
  readonly history: EventHistory;
  /** Without it, reads the whole log after history. */
  readonly tail?: TailIndex;
  /** People whose events must stay hidden. */
  readonly erased: ReadonlySet<PersonOrdinal>;
  /** Approximate row bound per page. Default `limits.readRowsMax`. */
  readonly rowsMax?: number;
}

/** An event before looking up its person's ids. */
export interface FoundEvent extends Omit<EventView, 'subscriberId' | 'externalUserId'> {
  readonly person: PersonOrdinal;
}

export interface EventPage {
  /** Up to the limit; fewer or none at the row bound. */
  readonly found: readonly FoundEvent[];
  /** `beforeSeq` of the next page; `undefined` at the end. */
  readonly nextBefore: number | undefined;
}

/** Needed log blocks were dropped since the manifest was read. */
export class LogGone extends Error {
  override readonly name = 'LogGone';
}

const firstRead = 16;
/** Rows that cost as much as a history block for one person. */
const blockRows = 256;

/** The newest matches. For `LogGone` and errors of `history.find`, reread the manifest. */
export function readEvents(app: Ordinal, query: EventQuery, sources: EventSources): EventPage {
  const search = new Search(query, sources.erased, sources.rowsMax ?? limits.readRowsMax);
  const stopped = searchLog(app, search, sources) ?? searchHistory(app, search, sources.history);
  const { rows } = search;
  // A cut page ends where the search stopped.
  const complete = stopped === undefined ? rows : rows.filter(({ seq }) => seq >= stopped);
  const page = complete.slice(0, query.limit);
  const found = page.map(({ events, row }) => viewOf(app, events, row));
  const isMore = complete.length > query.limit;
  const next = isMore ? page[page.length - 1]?.seq : stopped;
  return { found, nextBefore: next === undefined || next <= search.after + 1 ? undefined : next };
}

interface FoundRow {
  readonly seq: number;
  readonly events: StoredEvents;
  readonly row: number;
}

/** The newest matches, one more than the page, to know whether another page exists. */
class Search {
  readonly rows: FoundRow[] = [];
  readonly query: EventQuery;
  /** The person's ordinals; undefined for all people. */
  readonly people: ReadonlySet<PersonOrdinal> | undefined;
  readonly #of: readonly (readonly [ReferenceName, string])[];
  readonly #erased: ReadonlySet<PersonOrdinal>;
  readonly #before: number;
  /** Rows down to here are not asked for. */
  readonly after: number;
  #rowsLeft: number;

  constructor(query: EventQuery, erased: ReadonlySet<PersonOrdinal>, rowsMax: number) {
    this.query = query;
    const { person, aliases = [], of = {} } = query;
    this.#of = Object.entries(of) as [ReferenceName, string][];
    this.people = person === undefined ? undefined : new Set([person, ...aliases]);
    this.#erased = erased;
    this.#before = query.beforeSeq ?? Number.POSITIVE_INFINITY;
    this.after = query.afterSeq ?? 0;
    this.#rowsLeft = rowsMax;
  }

  get before(): number {
    return this.#before;
  }

  /** Whether no event below this seq can still be on the page. */
  isFullAbove(seq: number): boolean {
    return this.rows.length > this.query.limit && seq < this.#lowest;
  }

  /** Counts work; false past the bound. */
  spend(rows: number): boolean {
    this.#rowsLeft -= rows;
    return this.#rowsLeft > 0;
  }

  /** Whether the search ends after all seqs down to this one. */
  endsAt(lowest: number): boolean {
    if (lowest <= this.after + 1) return true;
    return this.isFullAbove(lowest - 1) || (this.isSpent && lowest < this.#before);
  }

  get isSpent(): boolean {
    return this.#rowsLeft <= 0;
  }

  /** Checks rows [from, to), in any order of seq. */
  take(events: StoredEvents, from = 0, to = events.count): void {
    const { people } = this;
    const { name, fromMs, toMs, limit } = this.query;
    for (let row = to - 1; row >= from; row--) {
      const seq = events.seq(row);
      if (seq >= this.#before || seq <= this.after) continue;
      if (this.rows.length > limit && seq < this.#lowest) continue;
      if (people !== undefined && !people.has(events.person(row))) continue;
      if (name !== undefined && events.name(row) !== name) continue;
      if (fromMs !== undefined && events.atMs(row) < fromMs) continue;
      if (toMs !== undefined && events.atMs(row) >= toMs) continue;
      if (this.#erased.size > 0 && this.#erased.has(events.person(row))) continue;
      if (!this.#of.every(([reference, id]) => events.reference(row, reference) === id)) continue;
      this.#insert({ seq, events, row });
    }
  }

  get #lowest(): number {
    return this.rows[this.rows.length - 1]?.seq ?? Number.POSITIVE_INFINITY;
  }

  #insert(found: FoundRow): void {
    const { rows } = this;
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rows[middle] as FoundRow).seq > found.seq) low = middle + 1;
      else high = middle;
    }
    rows.splice(low, 0, found);
    if (rows.length > this.query.limit + 1) rows.pop();
  }
}

/** Searches the log, newest first. Returns the seq of an early stop. */
function searchLog(
  app: Ordinal,
  search: Search,
  { log, history, tail }: EventSources,
): number | undefined {
  // Without a filter the first blocks fill a page, so an index would not help.
  const { person, name, of, fromMs, toMs, beforeSeq } = search.query;
  const isNewest = (person ?? name ?? of ?? fromMs ?? toMs ?? beforeSeq) === undefined;
  const index = isNewest ? undefined : tail;
  let count = firstRead;
  for (let end = log.durableSeq; end > history.seq; ) {
    if (index?.knows(end)) {
      const lowest = searchNoted(app, search, index, log, end, () => entriesAt(log, end));
      if (lowest !== undefined && search.endsAt(lowest)) return lowest;
      end--;
      continue;
    }
    let from = end;
    const first = Math.max(history.seq + 1, end - count + 1);
    while (from > first && !index?.knows(from - 1)) from--;
    const blocks = log.blocks(from, end - from + 1);
    if (blocks[0]?.seq !== from) throw new LogGone(`log block ${from} is gone`);
    let bytes = 0;
    for (let i = blocks.length - 1; i >= 0; i--) {
      const { seq, block } = blocks[i] as (typeof blocks)[number];
      bytes += block.length;
      const { entries } = decodeBlock(block);
      index?.add(seq, entries, log.eventsOf);
      const lowest =
        index === undefined
          ? searchBlock(app, search, log, entries)
          : searchNoted(app, search, index, log, seq, () => entries);
      if (lowest !== undefined && search.endsAt(lowest)) return lowest;
    }
    end = from - 1;
    count = nextCount(count, bytes);
  }
  return undefined;
}

/** Like `searchBlock`, but reads an indexed block's entries only if they may match. */
function searchNoted(
  app: Ordinal,
  search: Search,
  index: TailIndex,
  log: BlockSource,
  seq: Seq,
  entries: () => readonly Entry[],
): number | undefined {
  const part = index.partOf(seq, app);
  if (part === undefined) return undefined;
  // Earlier pages showed this block.
  if (part.lowest >= search.before) return part.lowest;
  if (index.mayHold(part, search.query)) searchBlock(app, search, log, entries());
  else search.spend(part.count >>> 6);
  return part.lowest;
}

function entriesAt(log: BlockSource, seq: Seq): readonly Entry[] {
  const [found] = log.blocks(seq, 1);
  if (found?.seq !== seq) throw new LogGone(`log block ${seq} is gone`);
  return decodeBlock(found.block).entries;
}

/** The lowest seq of the app's events in the block, or `undefined`. */
function searchBlock(
  app: Ordinal,
  search: Search,
  { eventsOf }: Pick<BlockSource, 'eventsOf'>,
  entries: readonly Entry[],
): number | undefined {
  let lowest: number | undefined;
  for (const entry of entries.toReversed()) {
    if (entry.owner !== app) continue;
    for (const events of eventsOf(entry).toReversed()) {
      search.take(events);
      search.spend(events.count);
      lowest = events.seq(0);
    }
  }
  return lowest;
}

/**
 * Searches possible files, newest event first. Late events make days overlap in seq: matches are
 * final only above the newest event of the remaining files.
 */
function searchHistory(app: Ordinal, search: Search, history: EventHistory): number | undefined {
  const { name, fromMs, toMs } = search.query;
  const wanted: WantedEvents = {
    ...(name === undefined ? {} : { names: [name] }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    beforeSeq: search.before,
    isEnough: (maxSeq) => search.isFullAbove(maxSeq),
  };
  for (const listed of history.filesOf(app)) {
    if (listed.minSeq >= search.before || listed.maxSeq <= search.after) continue;
    if (fromMs !== undefined && listed.maxAtMs < fromMs) continue;
    if (toMs !== undefined && listed.minAtMs >= toMs) continue;
    if (search.isFullAbove(listed.maxSeq)) return listed.maxSeq + 1;
    if (search.isSpent && listed.maxSeq + 1 < search.before) return listed.maxSeq + 1;
    const file = history.open(listed);
    search.spend(file.questionRows);
    // A person's events lie under each ordinal that they ever had.
    for (const person of search.people ?? [undefined]) {
      for (const { events, from, to } of file.find({
        ...wanted,
        ...(person !== undefined && { person }),
      })) {
        search.take(events, from, to);
        search.spend(to - from + (person === undefined ? 0 : blockRows));
      }
    }
  }
  return undefined;
}

function viewOf(app: Ordinal, events: StoredEvents, row: number): FoundEvent {
  const seq = events.seq(row);
  const receivedMs = events.receivedAtMs(row);
  const channel = events.channel(row);
  return {
    id: events.id(row) ?? eventIdOf(app, receivedMs, seq),
    seq,
    name: events.name(row),
    person: events.person(row),
    deviceId: events.reference(row, 'deviceId') ?? null,
    channel: channel === 0 ? null : (channelIds[channel - 1] ?? null),
    sendId: events.reference(row, 'sendId') ?? null,
    campaignId: events.reference(row, 'campaignId') ?? null,
    messageId: events.reference(row, 'messageId') ?? null,
    journeyId: events.reference(row, 'journeyId') ?? null,
    atMs: events.atMs(row),
    receivedMs,
    props: parsed(events.propsJson(row)),
    meta: parsed(events.metaJson(row)),
  };
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? null : JSON.parse(json);
}

/** For an event without its own id: app and seq. */
function eventIdOf(app: Ordinal, receivedMs: number, seq: number): string {
  return formatId('evt', {
    ordinal: app,
    atMs: receivedMs,
    high16: Math.floor(seq / 4294967296) & 0xffff,
    low32: seq >>> 0,
  });
}
