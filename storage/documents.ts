// One partition's documents as a turn sees them: staged over in flight over stored. LMDB readers
// see only durable commits, so the overlay shows earlier turns. Rows are shared: never change them.

import type {
  DocumentReader,
  DocumentRow,
  DocumentWrite,
  KeyPart,
  RangeOptions,
  RecordWrite,
  TableRef,
  TypedTable,
} from '../engine/actor/message.ts';
import type { DocumentChange, PartitionStore, StoredRow } from '../engine/actor/store.ts';
import { assert } from '../engine/base/assert.ts';
import type { Ordinal, Seq } from '../engine/base/brand.ts';
import { DamagedRecord } from './codec.ts';
import { decodeKey, encodeKey, prefixRange } from './keys.ts';
import { binaryName, bytesOfName, OrderedMap } from './ordered-map.ts';
import { declaredTable, type Table } from './table.ts';

/** The most rows of one range or one store read. */
const maxRangeRows = 10_000;

export type DocumentStore = Pick<PartitionStore, 'get' | 'lend' | 'range'>;

/** One owner's rows. Bounds are tuples after the owner. */
interface DocumentRange extends RangeOptions {
  /** Only keys whose tuple starts so; `from` and `to` narrow it and are whole tuples. */
  readonly prefix?: readonly KeyPart[];
}

/** Document reads since the partition opened, for metrics. */
interface DocumentReads {
  gets: number;
  /** Gets that the overlay answered. */
  overlaid: number;
  ranges: number;
  rows: number;
}

interface DocumentsOptions {
  /** For tests: deep-freezes rows and refuses undeclared fields, to expose sharing and losses. */
  readonly strict?: boolean;
}

// The newest write of a key that the store may not show yet.
interface Overlaid {
  readonly name: string;
  readonly key: Uint8Array;
  /** Absent until it is read, if the record was staged. */
  row: object | undefined;
  record: Uint8Array | undefined;
  /** The commit that carries it; 0 while staged. */
  seq: Seq;
  /** For a staged write: the one in flight below it, for `discardStaged`. */
  under: Overlaid | undefined;
  settled: boolean;
}

interface Flight {
  readonly seq: Seq;
  readonly writes: readonly Overlaid[];
}

/** One partition's typed documents, used by its one thread. See the head of this file. */
export class Documents {
  readonly reads: DocumentReads = { gets: 0, overlaid: 0, ranges: 0, rows: 0 };
  readonly #store: DocumentStore;
  readonly #strict: boolean;
  readonly #overlay = new OrderedMap<Overlaid>();
  #staged: Overlaid[] = [];
  #stagedBytes = 0;
  #flights: Flight[] = [];

  constructor(store: DocumentStore, options: DocumentsOptions = {}) {
    this.#store = store;
    this.#strict = options.strict ?? false;
  }

  get overlaySize(): number {
    return this.#overlay.size;
  }

  get stagedBytes(): number {
    return this.#stagedBytes;
  }

  get stagedCount(): number {
    return this.#staged.length;
  }

  /** The row under this key. Stored rows are cached in `read`. Throws `DamagedRecord`. */
  get<Row extends object>(
    table: TypedTable<Row>,
    owner: Ordinal,
    key: readonly KeyPart[],
    read?: Map<string, object>,
  ): Row | undefined {
    this.reads.gets++;
    const own = declaredTable(table);
    const encoded = encodeKey(own.id, owner, key);
    const name = binaryName(encoded);
    const overlaid = this.#overlay.get(name);
    if (overlaid !== undefined) {
      this.reads.overlaid++;
      return this.#overlaidRow(own, overlaid);
    }
    const before = read?.get(name);
    if (before !== undefined) return before as Row; // under a key that starts with this table's id
    const record = this.#store.get(encoded);
    if (record === undefined) return undefined;
    const row = this.#storedRow(own, record, encoded);
    read?.set(name, row);
    return row;
  }

  /** Lends the undecoded record under this key; false if there is none. */
  lend(
    table: TableRef,
    owner: Ordinal,
    key: readonly KeyPart[],
    use: (record: Uint8Array) => void,
  ): boolean {
    this.reads.gets++;
    const encoded = encodeKey(declaredTable(table as TypedTable<object>).id, owner, key);
    const overlaid = this.#overlay.size === 0 ? undefined : this.#overlay.get(binaryName(encoded));
    if (overlaid === undefined && this.#store.lend !== undefined)
      return this.#store.lend(encoded, use);
    const record = overlaid === undefined ? this.#store.get(encoded) : overlaid.record;
    if (record !== undefined) use(record);
    return record !== undefined;
  }

  /**
   * One owner's rows in key order, from `from` (included) to `to` (excluded), by default all, at
   * most `limit` (at most 10,000). `reverse` starts at the upper end.
   */
  range<Row extends object>(
    table: TypedTable<Row>,
    owner: Ordinal,
    options: DocumentRange,
  ): DocumentRow<Row>[] {
    assert(
      options.limit >= 0 && options.limit <= maxRangeRows,
      'a range has a limit of at most 10,000',
    );
    this.reads.ranges++;
    const own = declaredTable(table);
    const whole = prefixRange(own.id, owner, options.prefix ?? []);
    const start = options.from
      ? later(whole.start, encodeKey(own.id, owner, options.from))
      : whole.start;
    const end = options.to ? earlier(whole.end, encodeKey(own.id, owner, options.to)) : whole.end;
    const rows: DocumentRow<Row>[] = [];
    const reverse = options.reverse ?? false;
    const overlaid = [...this.#overlay.range(binaryName(start), binaryName(end), reverse)];
    if (overlaid.length === 0) {
      for (const stored of this.#stored(start, end, reverse, options.limit))
        this.#pushStored(own, stored, options, rows);
    } else this.#merge(own, start, end, options, overlaid, rows);
    this.reads.rows += rows.length;
    return rows;
  }

  /** Writes a row in this turn. Encodes it now, so later changes to `row` are lost. */
  put<Row extends object>(
    table: TypedTable<Row>,
    owner: Ordinal,
    key: readonly KeyPart[],
    row: Row,
  ): void {
    const own = declaredTable(table);
    this.#stage(encodeKey(own.id, owner, key), row, this.#encode(own, row));
  }

  /** Removes a row in this turn; a missing row is no error. */
  remove(table: TypedTable<object>, owner: Ordinal, key: readonly KeyPart[]): void {
    this.#stage(encodeKey(declaredTable(table).id, owner, key), undefined, undefined);
  }

  /** Stages a decision's documents, all or none; earlier ones of the turn stay staged. */
  stage(
    owner: Ordinal,
    writes: readonly DocumentWrite[],
    records: readonly RecordWrite[] = [],
  ): void {
    const ready = writes.map(({ table, key, value }) => {
      const own = declaredTable<object>(table);
      return {
        key: encodeKey(own.id, owner, key),
        row: value,
        record: value && this.#encode(own, value),
      };
    });
    const keys = records.map(({ table, key }) => encodeKey(table.id, owner, key));
    for (const { key, row, record } of ready) this.#stage(key, row, record);
    for (const [at, { record }] of records.entries())
      this.#stage(keys[at] as Uint8Array, undefined, record);
  }

  /** The turn's documents, one change per key, for commit `seq`; readable until `settled`. */
  takeStaged(seq: Seq): DocumentChange[] {
    assert(seq > (this.#flights.at(-1)?.seq ?? 0), 'commits are taken in the order of their seq');
    const writes = this.#staged;
    this.#staged = [];
    this.#stagedBytes = 0;
    const changes: DocumentChange[] = new Array(writes.length);
    for (let i = 0; i < writes.length; i++) {
      const write = writes[i] as Overlaid;
      write.seq = seq;
      write.under = undefined; // a key written in every turn would otherwise keep all of them alive
      changes[i] = { key: write.key, value: write.record };
    }
    this.#flights.push({ seq, writes });
    return changes;
  }

  /** Discards what the turn staged; writes in flight show again. */
  discardStaged(): void {
    for (const { name, under } of this.#staged) {
      if (under === undefined || under.settled) this.#overlay.delete(name);
      else this.#overlay.set(name, under);
    }
    this.#staged = [];
    this.#stagedBytes = 0;
  }

  /** Drops what commits up to `seq` carried, except keys written again since. */
  settled(seq: Seq): void {
    while (this.#flights[0] !== undefined && this.#flights[0].seq <= seq) {
      const flight = this.#flights.shift() as Flight;
      for (const write of flight.writes) {
        write.settled = true;
        if (this.#overlay.get(write.name) === write) this.#overlay.delete(write.name);
      }
    }
  }

  /** One owner's documents, for one decision: caches reads, which its checks often repeat. */
  bound(owner: Ordinal): DocumentReader {
    return new BoundDocuments(this, owner);
  }

  #stage(key: Uint8Array, row: object | undefined, record: Uint8Array | undefined): void {
    this.#stagedBytes += record?.byteLength ?? 0;
    const name = binaryName(key);
    const before = this.#overlay.get(name);
    if (before !== undefined && before.seq === 0) {
      before.row = row;
      before.record = record;
      return;
    }
    const write: Overlaid = { name, key, row, record, seq: 0, under: before, settled: false };
    this.#overlay.set(name, write);
    this.#staged.push(write);
  }

  #encode<Row extends object>(table: Table<Row>, row: Row): Uint8Array {
    if (this.#strict)
      for (const field of Object.keys(row))
        assert(table.fields.includes(field), `table ${table.name} declares no field ${field}`);
    return table.encode(row);
  }

  #overlaidRow<Row extends object>(table: Table<Row>, overlaid: Overlaid): Row | undefined {
    const { key, record } = overlaid;
    if (record === undefined) return undefined;
    if (this.#strict) return deepFrozen(table.decode(record, key));
    overlaid.row ??= table.decode(record, key); // staged as a record
    return overlaid.row as Row; // staged under a key that starts with this table's id
  }

  #storedRow<Row extends object>(table: Table<Row>, record: Uint8Array, key: Uint8Array): Row {
    const row = table.decode(record, key);
    return this.#strict ? deepFrozen(row) : row;
  }

  /** Adds a stored row; false if unreadable and the caller handles that. */
  #pushStored<Row extends object>(
    table: Table<Row>,
    { key, value }: StoredRow,
    { damaged }: DocumentRange,
    rows: DocumentRow<Row>[],
  ): boolean {
    try {
      rows.push({ key: decodeKey(key).parts, value: this.#storedRow(table, value, key) });
      return true;
    } catch (error) {
      if (damaged === undefined || !(error instanceof DamagedRecord)) throw error;
      damaged(decodeKey(key).parts);
      return false;
    }
  }

  /** Rows of the store, read a bounded page at a time. */
  *#stored(
    start: Uint8Array,
    end: Uint8Array,
    reverse: boolean,
    wanted: number,
  ): Generator<StoredRow> {
    let left = wanted;
    let low = start;
    let high = end;
    while (left > 0) {
      const limit = Math.min(left, maxRangeRows);
      const page = this.#store.range({ start: low, end: high, reverse, limit });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < limit) return;
      left -= page.length;
      if (reverse) high = last.key;
      else low = bytesOfName(`${binaryName(last.key)}\0`); // the very next key there can be
    }
  }

  #merge<Row extends object>(
    table: Table<Row>,
    start: Uint8Array,
    end: Uint8Array,
    options: DocumentRange,
    overlaid: readonly (readonly [string, Overlaid])[],
    rows: DocumentRow<Row>[],
  ): void {
    const { limit, reverse = false } = options;
    // A removal hides at most one stored row, so this many are always enough.
    let removals = 0;
    for (const [, write] of overlaid) if (write.record === undefined) removals++;
    const stored = this.#stored(start, end, reverse, limit + removals);
    let below = stored.next();
    let next = 0;
    let damaged = 0;
    while (rows.length + damaged < limit) {
      const above = overlaid[next];
      const belowName = below.done ? undefined : binaryName(below.value.key);
      if (above === undefined && belowName === undefined) return;
      const [aboveName, write] = above ?? [undefined, undefined];
      if (
        write === undefined ||
        (belowName !== undefined && precedes(belowName, aboveName, reverse))
      ) {
        if (!this.#pushStored(table, below.value as StoredRow, options, rows)) damaged++;
        below = stored.next();
        continue;
      }
      if (belowName === aboveName) below = stored.next();
      next++;
      const value = this.#overlaidRow(table, write);
      if (value !== undefined) rows.push({ key: decodeKey(write.key).parts, value });
    }
  }
}

/** A class, because one is made for every message, and most read nothing twice. */
class BoundDocuments implements DocumentReader {
  readonly #documents: Documents;
  readonly #owner: Ordinal;
  #read: Map<string, object> | undefined;

  constructor(documents: Documents, owner: Ordinal) {
    this.#documents = documents;
    this.#owner = owner;
  }

  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined {
    this.#read ??= new Map();
    return this.#documents.get(table, this.#owner, key, this.#read);
  }

  range<Row extends object>(table: TypedTable<Row>, options: RangeOptions): DocumentRow<Row>[] {
    return this.#documents.range(table, this.#owner, options);
  }

  lend(table: TableRef, key: readonly KeyPart[], use: (record: Uint8Array) => void): boolean {
    return this.#documents.lend(table, this.#owner, key, use);
  }
}

function precedes(name: string, other: string | undefined, reverse: boolean): boolean {
  return other === undefined || (reverse ? name > other : name < other);
}

function later(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.compare(a, b) < 0 ? b : a;
}

function earlier(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.compare(a, b) < 0 ? a : b;
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
