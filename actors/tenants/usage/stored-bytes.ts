// What an app keeps of events, of people's records and of counted tables, for the storage quota of
// its org. Events count by the day of their acceptance and for as long as they are kept, as packed
// in the log: history files are smaller. Folded, so a quota needs no look at the disk. Events and
// people from before this count are not in it; rows are counted by `count-rows.ts`.

import type { KeyPart } from '../../../engine/actor/message.ts';
import { type Bytes, dayMs, type Millis } from '../../../engine/base/brand.ts';
import { type RowBytes, type RowKind, rowKinds } from '../../stored-share.ts';

/** A person without tags and devices: record, indexes and columns. */
const personBytes = 256;

export interface StoredBytesSnapshot {
  /** Pairs of UTC day and bytes, oldest first. */
  readonly days: readonly (readonly [number, Bytes])[];
  readonly records: Bytes;
  /** Of counted tables; absent for none. */
  readonly rows?: RowBytes;
  /** Absent until the first row was counted. */
  readonly counted?: Counted;
}

/** Where the first count of the rows has come to: rows after it are not in the sums yet. */
export interface RowPlace {
  readonly table: number;
  /** Absent before the table's first row. */
  readonly key?: readonly KeyPart[];
}

export type Counted = 'all' | RowPlace;

/** Instants never go back: they are a log's. */
export class StoredBytes {
  /** Oldest first. */
  readonly #days = new Map<number, Bytes>();
  #events: Bytes = 0;
  #records: Bytes = 0;
  #rows: RowBytes = {};
  #counted: Counted = { table: 0 };

  addEvents(bytes: Bytes, atMs: Millis, keptDays: number): void {
    if (bytes === 0) return;
    const day = Math.floor(atMs / dayMs);
    const before = this.#days.get(day);
    this.#days.set(day, (before ?? 0) + bytes);
    this.#events += bytes;
    if (before === undefined) this.#forgetBefore(day - keptDays);
  }

  /** Tags and devices; negative for what was removed. */
  addRecords(bytes: Bytes): void {
    this.#records = Math.max(0, this.#records + bytes);
  }

  /** `'all'` once the rows of every table are in the sums. */
  get counted(): Counted {
    return this.#counted;
  }

  rows(kind: RowKind): Bytes {
    return this.#rows[kind] ?? 0;
  }

  /** Negative for what was removed. */
  addRows(bytes: RowBytes): void {
    const sums: { [Kind in RowKind]?: Bytes } = {};
    for (const kind of rowKinds) {
      const sum = this.rows(kind) + (bytes[kind] ?? 0);
      if (sum !== 0) sums[kind] = sum;
    }
    this.#rows = sums;
  }

  countedTo(place: Counted): void {
    this.#counted = place;
  }

  /** Of people, with their tags and devices. */
  people(count: number): Bytes {
    return this.#records + count * personBytes;
  }

  /** Of events that are still kept. */
  events(nowMs: Millis, keptDays: number): Bytes {
    const oldest = Math.floor(nowMs / dayMs) - keptDays;
    let events = this.#events;
    for (const [day, bytes] of this.#days) {
      if (day >= oldest) break;
      events -= bytes;
    }
    return events;
  }

  /** The clock was ahead: days after that of `toMs` are that day. */
  rebase(toMs: Millis): void {
    const today = Math.floor(toMs / dayMs);
    let ahead = 0;
    for (const [day, bytes] of this.#days) {
      if (day <= today) continue;
      ahead += bytes;
      this.#days.delete(day);
    }
    if (ahead > 0) this.#days.set(today, (this.#days.get(today) ?? 0) + ahead);
  }

  snapshot(): StoredBytesSnapshot {
    const rows = this.#rows;
    const counted = this.#counted;
    return {
      days: [...this.#days],
      records: this.#records,
      ...(Object.keys(rows).length === 0 ? {} : { rows }),
      ...(isBegun(counted) ? { counted } : {}),
    };
  }

  /** Empty without a snapshot, as from before it was counted. */
  static restore(from: StoredBytesSnapshot | undefined): StoredBytes {
    const stored = new StoredBytes();
    for (const [day, bytes] of from?.days ?? []) {
      stored.#days.set(day, bytes);
      stored.#events += bytes;
    }
    stored.#records = from?.records ?? 0;
    stored.#rows = from?.rows ?? {};
    stored.#counted = from?.counted ?? stored.#counted;
    return stored;
  }

  #forgetBefore(oldest: number): void {
    for (const [day, bytes] of this.#days) {
      if (day >= oldest) return;
      this.#days.delete(day);
      this.#events -= bytes;
    }
  }
}

function isBegun(counted: Counted): boolean {
  return counted === 'all' || counted.table !== 0;
}
