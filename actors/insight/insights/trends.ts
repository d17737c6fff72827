// How often each event happened per bucket. Without given names all events are counted and the most
// frequent returned, of any origin or of one. Tenants may use any number of names. When the table
// is full only totals are kept, and the few most frequent are counted in a second pass. Receipts of
// tests are left out, except in history that earlier builds packed, and so are machines' opens.

import { assert } from '../../../engine/base/assert.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import { type EventOrigin, originOfEvent } from '../../events/ingest/names.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { EventSink, StoredWalk } from '../../events/read/stored-walk.ts';
import { type Buckets, lastDays } from './buckets.ts';
import { type Facts, type Question, type Trends, trendNamesMax } from './protocol.ts';
import { isOfTest, mayBeOfTest } from './test-sends.ts';

type Asked = Extract<Question, { kind: 'insight.trends' }>;

/** Cells of the table of counts, four bytes each. */
const trendCellsMax = 4_194_304;

/** Answers `insight.trends`. `cellsMax` is for tests. */
export function trends(
  { events, interval, origin }: Pick<Asked, 'events' | 'interval' | 'origin'>,
  facts: Facts,
  walk: StoredWalk,
  cellsMax = trendCellsMax,
): Trends {
  const buckets = lastDays(interval, facts.span, facts.nowMs, zoneOf(facts.timezone));
  const people = new SeenPeople(facts);
  const count = (names: readonly string[] | undefined) => {
    const table = new CountTable(buckets, names, cellsMax);
    const wanted = { fromMs: buckets.fromMs, ...(names === undefined ? {} : { names }) };
    walk.all(wanted, (...stored) => table.take(people, ...stored));
    return table;
  };
  let table = count(events);
  const names = events ?? table.mostFrequent(trendNamesMax, origin);
  if (!table.isWhole) table = count(names);
  return {
    starts: [...buckets.starts],
    events: names.map((name) => ({ name, counts: table.countsOf(name) })),
  };
}

/** Counts by name and bucket. */
class CountTable {
  readonly #buckets: Buckets;
  readonly #index = new Map<string, number>();
  /** Only these names, where given. */
  readonly #isClosed: boolean;
  readonly #cellsMax: number;
  #totals = new Float64Array(16);
  /** A row of buckets per name; dropped where there are too many names. */
  #cells: Uint32Array | undefined;

  constructor(buckets: Buckets, names: readonly string[] | undefined, cellsMax: number) {
    this.#buckets = buckets;
    this.#cellsMax = names === undefined ? cellsMax : Number.POSITIVE_INFINITY;
    this.#isClosed = names !== undefined;
    this.#cells = new Uint32Array(16 * buckets.count);
    for (const name of names ?? []) this.#add(name);
  }

  /** Whether all counts are there, not only totals. */
  get isWhole(): boolean {
    return this.#cells !== undefined;
  }

  take(people: SeenPeople, ...[events, from, to, span]: Parameters<EventSink>): void {
    const buckets = this.#buckets;
    // Days of history are mostly days of the calendar. Then the columns of times are not unpacked,
    // nor those of people where nobody was erased. It makes a count of names twice as fast.
    const first = span === undefined ? -1 : buckets.of(span.minAtMs);
    const shared = first >= 0 && first === buckets.of(span?.maxAtMs ?? 0) ? first : -1;
    const isEverybody = people.isEverybody;
    const { mayHoldTests } = events;
    for (let row = from; row < to; row++) {
      const name = events.name(row);
      let index = this.#index.get(name);
      if (index === undefined && this.#isClosed) continue;
      const bucket = shared >= 0 ? shared : buckets.of(events.atMs(row));
      if (bucket < 0) continue;
      if (!isEverybody && people.of(events.person(row)) === noPerson) continue;
      if (mayHoldTests && mayBeOfTest(name) && isOfTest(events, row)) continue;
      if (isByMachine(name, events, row)) continue;
      index ??= this.#add(name);
      this.#totals[index] = (this.#totals[index] as number) + 1;
      if (this.#cells === undefined) continue;
      const cell = index * buckets.count + bucket;
      this.#cells[cell] = (this.#cells[cell] as number) + 1;
    }
  }

  /** Most frequent first; ties in the order of code units. Of any origin, or of one. */
  mostFrequent(most: number, origin: EventOrigin | undefined): readonly string[] {
    const totalOf = (name: string) => this.#totals[this.#index.get(name) ?? -1] ?? 0;
    return [...this.#index.keys()]
      .filter((name) => origin === undefined || originOfEvent(name) === origin)
      .sort((a, b) => totalOf(b) - totalOf(a) || (a < b ? -1 : 1))
      .slice(0, most);
  }

  /** The counts of a name in the table, by bucket. */
  countsOf(name: string): readonly number[] {
    const { count } = this.#buckets;
    const index = this.#index.get(name);
    assert(index !== undefined && this.#cells !== undefined, 'counts that were not kept');
    return [...this.#cells.subarray(index * count, (index + 1) * count)];
  }

  #add(name: string): number {
    const index = this.#index.size;
    this.#index.set(name, index);
    if (index >= this.#totals.length) {
      const totals = new Float64Array(this.#totals.length * 2);
      totals.set(this.#totals);
      this.#totals = totals;
    }
    if (this.#cells !== undefined && (index + 1) * this.#buckets.count > this.#cells.length) {
      const cells = this.#totals.length * this.#buckets.count;
      if (cells > this.#cellsMax) this.#cells = undefined;
      else {
        const larger = new Uint32Array(cells);
        larger.set(this.#cells);
        this.#cells = larger;
      }
    }
    return index;
  }
}
