// What an app keeps of events and of people's records, about, for the storage quota of its org.
// Events count by the day of their acceptance and for as long as they are kept, as packed in the
// log: history files are smaller. Folded, so a quota needs no look at the disk. Data from before
// this count is not in it.

import { type Bytes, dayMs, type Millis } from '../../../engine/base/brand.ts';

/** A person without tags and devices: record, indexes and columns. */
const personBytes = 256;

export interface StoredBytesSnapshot {
  /** Pairs of UTC day and bytes, oldest first. */
  readonly days: readonly (readonly [number, Bytes])[];
  readonly records: Bytes;
}

/** Instants never go back: they are a log's. */
export class StoredBytes {
  /** Oldest first. */
  readonly #days = new Map<number, Bytes>();
  #events: Bytes = 0;
  #records: Bytes = 0;

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

  /** Of `people` and of events that are still kept. */
  total(people: number, nowMs: Millis, keptDays: number): Bytes {
    const oldest = Math.floor(nowMs / dayMs) - keptDays;
    let events = this.#events;
    for (const [day, bytes] of this.#days) {
      if (day >= oldest) break;
      events -= bytes;
    }
    return events + this.#records + people * personBytes;
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
    return { days: [...this.#days], records: this.#records };
  }

  /** Empty without a snapshot, as from before it was counted. */
  static restore(from: StoredBytesSnapshot | undefined): StoredBytes {
    const stored = new StoredBytes();
    for (const [day, bytes] of from?.days ?? []) {
      stored.#days.set(day, bytes);
      stored.#events += bytes;
    }
    stored.#records = from?.records ?? 0;
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
