// Idempotency keys: a 128-bit keyed hash → the request's 64-bit fingerprint and a 128-bit answer
// (the send's id), for 24 hours. Entries are never dropped early: a full map means refusing (503
// `idempotency_full`). A tenant may have four times as many entries as are free: one alone may use
// four fifths, and whoever has none finds room. Expired entries are invisible until a sweep removes
// them. The caller says from which instant on entries count (`cutMs`): time that no clock confirmed
// ages nothing.

import { assert } from './assert.ts';
import type { Millis } from './brand.ts';
import { dayMs, minuteMs } from './brand.ts';
import { HourlyShares } from './hourly-shares.ts';
import { RowTable, type Segment } from './row-table.ts';
import { bytesOfWords, type Words2, type Words4, wordsOfBytes } from './words.ts';

/** How long entries are kept, beyond the minute of the put. */
export const idempotencyKeptMs: Millis = dayMs;

// A row: key (4 words) · fingerprint (2) · value (4) · minute (1).
const width = 11;
const valueWord = 6;
const minuteWord = 10;

/** How many times the free places one tenant may use. */
const tenantShare = 4;

interface Remembered {
  readonly fingerprint: Words2;
  readonly value: Words4;
}

/** Plain data from which `ExpiringMap.restore` makes an equal map. */
export interface ExpiringMapSnapshot {
  readonly capacity: number;
  readonly minute: number;
  /** Absent in older snapshots: 24 hours before `minute`. */
  readonly oldest?: number;
  /** Eleven words per entry, in ascending key order. */
  readonly rows: Uint8Array;
}

/** Forgets entries 24 hours after their put. 44 bytes each, 53 to 58 with empty places. */
export class ExpiringMap {
  readonly #capacity: number;
  readonly #rows = new RowTable({ width, segmentRows: 2048 });
  /** Entries by minute of put; minutes ascend. */
  readonly #counts = new Map<number, number>();
  readonly #shares = new HourlyShares();
  readonly #tenantOf: (value: number) => number;
  #count = 0;
  #minute = 0;
  /** Entries put in an earlier minute have expired. */
  #oldest = 0;
  #sweepAt = 0;

  /** `capacity`: most entries at once. `tenantOf`: by the first word of an entry's value. */
  constructor(capacity: number, tenantOf: (value: number) => number = () => 0) {
    this.#capacity = capacity;
    this.#tenantOf = tenantOf;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Whether a new key has no room after `more` other puts. Changes nothing. Ignores what expired by
   * then, so a map without puts does not stay full. At most 1,441 steps, one if there is room.
   */
  isFull(nowMs: Millis, more = 0, cutMs = nowMs - idempotencyKeptMs): boolean {
    if (this.#count + more < this.#capacity) return false;
    return this.#since(this.#cut(cutMs)) + more >= this.#capacity;
  }

  /** The same for a tenant's share, after `more` other puts of its own. */
  isShareFull(tenant: number, more: number, cutMs: Millis): boolean {
    const isBeyond = (own: number, all: number) =>
      own + more >= tenantShare * (this.#capacity - all - more);
    if (!isBeyond(this.#shares.of(tenant), this.#count)) return false;
    const oldest = this.#cut(cutMs);
    return isBeyond(this.#shares.since(oldest, tenant), this.#since(oldest));
  }

  #cut(cutMs: Millis): number {
    return Math.max(this.#oldest, Math.floor(cutMs / minuteMs));
  }

  /** Entries put in a minute or later. */
  #since(oldest: number): number {
    let count = this.#count;
    for (const [putIn, expired] of this.#counts) {
      if (putIn >= oldest) break;
      count -= expired;
    }
    return count;
  }

  get byteLength(): number {
    return this.#rows.byteLength;
  }

  /** The value, if it was put in the minute of `cutMs` or later. Changes nothing. */
  get(key: Words4, nowMs: Millis, cutMs = nowMs - idempotencyKeptMs): Remembered | undefined {
    const segment = this.#rows.segmentOf(key[0]);
    const at = this.#find(segment, key);
    if (at < 0) return undefined;
    const row = segment.words.subarray(at, at + width);
    const word = (index: number) => row[index] as number;
    if (word(minuteWord) < Math.max(this.#oldest, Math.floor(cutMs / minuteMs))) return undefined;
    return { fingerprint: [word(4), word(5)], value: [word(6), word(7), word(8), word(9)] };
  }

  /** Adds a new key: call `get` and `isFull` first. An earlier `nowMs` counts as the latest. */
  put(
    key: Words4,
    fingerprint: Words2,
    value: Words4,
    nowMs: Millis,
    cutMs = nowMs - idempotencyKeptMs,
  ): void {
    this.expire(nowMs, cutMs);
    assert(this.#count < this.#capacity, 'expiring map: put into a full map');
    const stale = this.#find(this.#rows.segmentOf(key[0]), key);
    if (stale >= 0) {
      const segment = this.#rows.segmentOf(key[0]);
      assert(this.#isExpired(segment, stale), 'expiring map: put of a key that is remembered');
      this.#rows.removeAt(segment, stale);
    }
    this.#insert(key, fingerprint, value, this.#minute);
  }

  /** Drops puts before `cutMs`. Frees at most two segments, to bound a turn. */
  expire(nowMs: Millis, cutMs = nowMs - idempotencyKeptMs): void {
    this.#minute = Math.max(this.#minute, Math.floor(nowMs / minuteMs));
    const oldest = Math.floor(cutMs / minuteMs);
    if (oldest > this.#oldest) {
      this.#oldest = oldest;
      this.#shares.drop(oldest);
      for (const [putIn, count] of this.#counts) {
        if (putIn >= oldest) break;
        this.#counts.delete(putIn);
        this.#count -= count;
      }
    }
    // An eighth may be expired, or a few expired entries would rebuild a segment every minute.
    for (let i = 0; i < 2 && this.#rows.count - this.#count > this.#count / 8 + 1024; i++) {
      this.#sweepAt = (this.#sweepAt + 1) % this.#rows.directorySize;
      const segment = this.#rows.segmentAt(this.#sweepAt);
      if (segment.sweptAt === this.#minute) continue;
      segment.sweptAt = this.#minute;
      this.#rows.retain(segment, (at) => !this.#isExpired(segment, at));
    }
  }

  /** Changes the instants of puts, to whole minutes; the latest is then `nowMs`. */
  rebase(nowMs: Millis, stamp: (atMs: Millis) => Millis): void {
    this.#minute = Math.floor(nowMs / minuteMs);
    this.#oldest = Math.min(this.#oldest, this.#minute);
    const counts = new Map<number, number>();
    this.#shares.clear();
    for (const { words } of this.#rows.segments()) {
      for (let at = 0; at < words.length; at += width) {
        if (words[at + 1] === 0) continue;
        const putIn = words[at + minuteWord] as number;
        const minute = Math.floor(stamp(putIn * minuteMs) / minuteMs);
        words[at + minuteWord] = minute;
        if (minute < this.#oldest) continue;
        counts.set(minute, (counts.get(minute) ?? 0) + 1);
        this.#shares.add(this.#tenantOf(words[at + valueWord] as number), minute);
      }
    }
    this.#counts.clear();
    this.#count = 0;
    for (const [minute, count] of [...counts].sort(([a], [b]) => a - b)) {
      this.#counts.set(minute, count);
      this.#count += count;
    }
  }

  /** In ascending key order. */
  snapshot(): ExpiringMapSnapshot {
    const rows = new Uint32Array(this.#count * width);
    let to = 0;
    for (const segment of this.#rows.segments()) {
      for (let at = 0; at < segment.words.length; at += width) {
        if (segment.words[at + 1] === 0 || this.#isExpired(segment, at)) continue;
        rows.set(segment.words.subarray(at, at + width), to);
        to += width;
      }
    }
    const minute = this.#minute;
    const oldest = this.#oldest;
    return { capacity: this.#capacity, minute, oldest, rows: bytesOfWords(rows) };
  }

  static restore(snapshot: ExpiringMapSnapshot, tenantOf?: (value: number) => number): ExpiringMap {
    const map = new ExpiringMap(snapshot.capacity, tenantOf);
    map.#minute = snapshot.minute;
    map.#oldest = snapshot.oldest ?? snapshot.minute - idempotencyKeptMs / minuteMs;
    const rows = wordsOfBytes(snapshot.rows);
    map.#rows.load(rows, new Uint8Array(0));
    map.#count = rows.length / width;
    const counts = new Map<number, number>();
    for (let from = 0; from < rows.length; from += width) {
      const minute = rows[from + minuteWord] as number;
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
      map.#shares.add(map.#tenantOf(rows[from + valueWord] as number), minute);
    }
    for (const [minute, count] of [...counts].sort(([a], [b]) => a - b)) {
      map.#counts.set(minute, count);
    }
    return map;
  }

  #insert(key: Words4, fingerprint: Words2, value: Words4, minute: number): void {
    const second = secondOf(key);
    const segment = this.#rows.reserve(key[0]);
    const at = this.#rows.seek(segment, key[0], second);
    this.#rows.insertAt(segment, at, key[0], second);
    const { words } = segment;
    words[at + 2] = key[2];
    words[at + 3] = key[3];
    words[at + 4] = fingerprint[0];
    words[at + 5] = fingerprint[1];
    words.set(value, at + valueWord);
    words[at + minuteWord] = minute;
    this.#tally(minute);
    this.#shares.add(this.#tenantOf(value[0]), minute);
  }

  #tally(minute: number): void {
    this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + 1);
    this.#count++;
  }

  #isExpired(segment: Segment, at: number): boolean {
    return (segment.words[at + minuteWord] as number) < this.#oldest;
  }

  #find(segment: Segment, key: Words4): number {
    const words = segment.words;
    const second = secondOf(key);
    for (let at = this.#rows.seek(segment, key[0], second); ; at += width) {
      if (words[at] !== key[0] || words[at + 1] !== second) return -1;
      if (words[at + 2] === key[2] && words[at + 3] === key[3]) return at;
    }
  }
}

/** A second word of 0 marks an empty place. */
function secondOf(key: Words4): number {
  return key[1] === 0 ? 1 : key[1];
}
