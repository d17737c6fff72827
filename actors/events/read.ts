// Reads an app's stored events, newest first: from the log after the newest checkpoint, then from
// the history that the checkpoint lists. They meet at the checkpoint's seq, so no event is missing
// or doubled while the next checkpoint is made.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type { Ordinal, PersonOrdinal, Seq } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { nextCount } from '../../storage/log.ts';
import { channelIds } from '../channels/channel-ids.ts';
import { limits } from '../limits.ts';
import type { EventsOf } from './facts.ts';
import type { WantedEvents } from './history/event-file.ts';
import type { EventHistory } from './history/event-history.ts';
import type { EventQuery, EventView } from './protocol.ts';
import type { StoredEvents } from './stored-events.ts';
import type { TailIndex } from './tail-index.ts';

/** The log as a reader of events sees it. */
export interface BlockSource {
  readonly durableSeq: Seq;
  readonly oldestSeq: Seq;
  blocks(from: Seq, limit: number): readonly { readonly seq: Seq; readonly block: Uint8Array }[];
  readonly eventsOf: EventsOf;
}

interface EventSources {
  readonly log: BlockSource;
  readonly history: EventHistory;
  /** Without it, all of the log after history is read. */
  readonly tail?: TailIndex;
  /** People whose events nobody may see. */
  readonly erased: ReadonlySet<PersonOrdinal>;
  /** About how many rows to look at before the page is cut short. Default `limits.readRowsMax`. */
  readonly rowsMax?: number;
}

/** An event before the ids of its person are looked up. */
interface FoundEvent extends Omit<EventView, 'subscriberId' | 'externalUserId'> {
  readonly person: PersonOrdinal;
}

export interface EventPage {
  /** At most the limit; fewer, even none, when the bound on rows was reached. */
  readonly found: readonly FoundEvent[];
  /** `beforeSeq` of the next page; `undefined` at the end. */
  readonly nextBefore: number | undefined;
}

/** Thrown when log blocks down to history were dropped since the manifest was read. */
export class LogGone extends Error {
  override readonly name = 'LogGone';
}

const firstRead = 16;
/** Rows that take as long to look at as one block of history for one person's rows. */
const blockRows = 256;

/** The newest matches. Throws `LogGone` and what `history.find` throws: reread the manifest. */
export function readEvents(app: Ordinal, query: EventQuery, sources: EventSources): EventPage {
  const search = new Search(query, sources.erased, sources.rowsMax ?? limits.readRowsMax);
  const stopped = searchLog(app, search, sources) ?? searchHistory(app, search, sources.history);
  const { rows } = search;
  // A page that was cut short ends where the search stopped.
  const complete = stopped === undefined ? rows : rows.filter(({ seq }) => seq >= stopped);
  const page = complete.slice(0, query.limit);
  const found = page.map(({ events, row }) => viewOf(app, events, row));
  const isMore = complete.length > query.limit;
  return { found, nextBefore: isMore ? page[page.length - 1]?.seq : stopped };
}

interface FoundRow {
  readonly seq: number;
  readonly events: StoredEvents;
  readonly row: number;
}

/** The newest matches so far: one more than the page, to know whether there is another page. */
class Search {
  /** Highest seq first. */
  readonly rows: FoundRow[] = [];
  readonly query: EventQuery;
  /** The person's ordinals; undefined for everyone's events. */
  readonly people: ReadonlySet<PersonOrdinal> | undefined;
  readonly #erased: ReadonlySet<PersonOrdinal>;
  readonly #before: number;
  #rowsLeft: number;

  constructor(query: EventQuery, erased: ReadonlySet<PersonOrdinal>, rowsMax: number) {
    this.query = query;
    const { person, aliases = [] } = query;
    this.people = person === undefined ? undefined : new Set([person, ...aliases]);
    this.#erased = erased;
    this.#before = query.beforeSeq ?? Number.POSITIVE_INFINITY;
    this.#rowsLeft = rowsMax;
  }

  get before(): number {
    return this.#before;
  }

  /** Whether no event below this seq can still be on the page. */
  isFullAbove(seq: number): boolean {
    return this.rows.length > this.query.limit && seq < this.#lowest;
  }

  /** Counts work; false once there was too much of it. */
  spend(rows: number): boolean {
    this.#rowsLeft -= rows;
    return this.#rowsLeft > 0;
  }

  /** Whether the search is over after everything down to this seq. */
  endsAt(lowest: number): boolean {
    return this.isFullAbove(lowest - 1) || (this.isSpent && lowest < this.#before);
  }

  get isSpent(): boolean {
    return this.#rowsLeft <= 0;
  }

  /** Looks at the rows [from, to), in any order of seq. */
  take(events: StoredEvents, from = 0, to = events.count): void {
    const { people } = this;
    const { name, fromMs, toMs, limit } = this.query;
    for (let row = to - 1; row >= from; row--) {
      const seq = events.seq(row);
      if (seq >= this.#before) continue;
      if (this.rows.length > limit && seq < this.#lowest) continue;
      if (people !== undefined && !people.has(events.person(row))) continue;
      if (name !== undefined && events.name(row) !== name) continue;
      if (fromMs !== undefined && events.atMs(row) < fromMs) continue;
      if (toMs !== undefined && events.atMs(row) >= toMs) continue;
      if (this.#erased.size > 0 && this.#erased.has(events.person(row))) continue;
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

/** Searches the log down to history, newest first. Returns the seq where it stopped early. */
function searchLog(
  app: Ordinal,
  search: Search,
  { log, history, tail }: EventSources,
): number | undefined {
  // The newest events of all people fill a page from the first blocks: an index would not help.
  const { person, name, fromMs, toMs, beforeSeq } = search.query;
  const isNewest = (person ?? name ?? fromMs ?? toMs ?? beforeSeq) === undefined;
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

/** As `searchBlock`, for an indexed block: asks for its entries only if they may match. */
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

/** Returns the lowest seq of the app's events in the block, or `undefined` without any. */
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
 * Searches the files that may match, newest event first. Late events make days overlap in seq, so
 * matches are final only above the newest event of the files not yet searched.
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
    if (listed.minSeq >= search.before) continue;
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

/** The id of an event without one of its own: its app and seq. */
function eventIdOf(app: Ordinal, receivedMs: number, seq: number): string {
  return formatId('evt', {
    ordinal: app,
    atMs: receivedMs,
    high16: Math.floor(seq / 4294967296) & 0xffff,
    low32: seq >>> 0,
  });
}
