// Recently seen event ids: 64-bit keyed hashes, kept for 24 hours or for the newest `capacity`. Ids
// expire by generation (an hour, or a 64th of the capacity). Keep the hash key with the data. The
// caller may say which hour is the oldest that counts: unconfirmed time ages nothing.

import { assert } from './assert.ts';
import { RowTable, type Segment } from './row-table.ts';
import { bytesOfWords, wordsOfBytes } from './words.ts';

/** Hours remembered beside the current one. */
export const eventIdHours = 24;

const generationsPerCapacity = 64;

interface Generation {
  /** Its sequence number; the low byte tags its ids. */
  readonly number: number;
  readonly hour: number;
  count: number;
}

/** Plain data from which `ExpiringSet.restore` makes an equal set. */
export interface ExpiringSetSnapshot {
  readonly capacity: number;
  readonly hour: number;
  /** Latest hour dropped for room; -1 for none. */
  readonly droppedHour: number;
  readonly nextNumber: number;
  readonly generations: readonly {
    readonly number: number;
    readonly hour: number;
    readonly count: number;
  }[];
  /** Two words per id, ascending. */
  readonly hashes: Uint8Array;
  /** One byte per id. */
  readonly tags: Uint8Array;
}

/** 64-bit hashes that expire by generation, about 13 bytes each; equal adds give equal sets. */
export class ExpiringSet {
  readonly #capacity: number;
  readonly #rows = new RowTable({ width: 2, tagged: true });
  #generations: Generation[] = [];
  #count = 0;
  #hour = 0;
  #droppedHour = -1;
  #nextNumber = 0;

  /** `capacity`: most ids, at least 64. */
  constructor(capacity: number) {
    assert(capacity >= generationsPerCapacity, 'expiring set: capacity too small');
    this.#capacity = capacity;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#rows.byteLength;
  }

  /** Prefetches ids by high words, so that memory waits overlap (`bench/lookups.ts`). */
  touch(highs: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#rows.touch(highs[i] as number);
  }

  /** Whether it was added in `oldest` or later; hours count from the epoch. */
  has(high: number, low: number, hour: number, oldest = hour - eventIdHours): boolean {
    const second = low === 0 ? 1 : low;
    const segment = this.#rows.segmentOf(high);
    const at = this.#find(segment, high, second);
    if (at < 0) return false;
    const generation = this.#generations[numberAt(segment, at) - this.#firstNumber()];
    return generation !== undefined && generation.hour >= oldest;
  }

  /**
   * Adds an unknown id; returns whether it was unknown. `hour` is the entry's; one before the
   * latest counts as the latest. A known id keeps its first hour. Ids before `oldest` expire.
   */
  addIfAbsent(high: number, low: number, hour: number, oldest = hour - eventIdHours): boolean {
    this.#advance(hour, oldest);
    const second = low === 0 ? 1 : low; // the table takes a second word of 0 for an empty place
    const there = this.#swept(this.#rows.segmentOf(high));
    const { words } = there;
    let at = this.#rows.seek(there, high, second);
    if (words[at] === high && words[at + 1] === second) return false;
    const generation = this.#openGeneration();
    const segment = this.#rows.reserve(high);
    if (segment.words !== words) at = this.#rows.seek(segment, high, second);
    this.#rows.insertAt(segment, at, high, second);
    segment.tags[at >>> 1] = generation.number & 255;
    generation.count++;
    this.#count++;
    while (this.#count > this.#capacity) this.#droppedHour = this.#dropOldest();
    return true;
  }

  /** Full hours before the current one with every id: 24, or fewer after dropping for room. */
  effectiveWindowHours(): number {
    if (this.#droppedHour < 0) return eventIdHours;
    return Math.max(0, Math.min(eventIdHours, this.#hour - this.#droppedHour - 1));
  }

  /** Changes the hours of ids; the latest is then `hour`. */
  rebase(hour: number, stamp: (hour: number) => number): void {
    this.#hour = hour;
    this.#generations = this.#generations.map((one) => ({ ...one, hour: stamp(one.hour) }));
  }

  /** Ids in ascending order, and their generations. */
  snapshot(): ExpiringSetSnapshot {
    const hashes = new Uint32Array(this.#count * 2);
    const tags = new Uint8Array(this.#count);
    const first = this.#firstNumber();
    let to = 0;
    for (const segment of this.#rows.segments()) {
      for (let at = 0; at < segment.words.length; at += 2) {
        if (segment.words[at + 1] === 0 || numberAt(segment, at) < first) continue;
        hashes[to * 2] = segment.words[at] as number;
        hashes[to * 2 + 1] = segment.words[at + 1] as number;
        tags[to++] = segment.tags[at >>> 1] as number;
      }
    }
    return {
      capacity: this.#capacity,
      hour: this.#hour,
      droppedHour: this.#droppedHour,
      nextNumber: this.#nextNumber,
      generations: this.#generations.map((generation) => ({ ...generation })),
      hashes: bytesOfWords(hashes),
      tags,
    };
  }

  static restore(snapshot: ExpiringSetSnapshot): ExpiringSet {
    const set = new ExpiringSet(snapshot.capacity);
    set.#hour = snapshot.hour;
    set.#droppedHour = snapshot.droppedHour;
    set.#nextNumber = snapshot.nextNumber;
    set.#generations = snapshot.generations.map((generation) => ({ ...generation }));
    set.#count = snapshot.tags.length;
    set.#rows.load(wordsOfBytes(snapshot.hashes), snapshot.tags);
    for (const segment of set.#rows.segments()) segment.sweptAt = set.#firstNumber();
    return set;
  }

  #find(segment: Segment, high: number, second: number): number {
    const at = this.#rows.seek(segment, high, second);
    return segment.words[at] === high && segment.words[at + 1] === second ? at : -1;
  }

  #firstNumber(): number {
    return this.#generations[0]?.number ?? this.#nextNumber;
  }

  #advance(hour: number, oldest: number): void {
    this.#hour = Math.max(this.#hour, hour);
    while (this.#generations[0] !== undefined && this.#generations[0].hour < oldest)
      this.#dropOldest();
  }

  #openGeneration(): Generation {
    const last = this.#generations.at(-1);
    const isFull = last !== undefined && last.count * generationsPerCapacity >= this.#capacity;
    if (last !== undefined && last.hour === this.#hour && !isFull) return last;
    const opened = { number: this.#nextNumber++, hour: this.#hour, count: 0 };
    this.#generations.push(opened);
    return opened;
  }

  #dropOldest(): number {
    const oldest = this.#generations.shift();
    assert(oldest !== undefined, 'expiring set: nothing to drop');
    this.#count -= oldest.count;
    return oldest.hour;
  }

  /**
   * Removes expired ids from a segment. Its tags are then of generations from `sweptAt` on, always
   * fewer than 256, so a byte identifies one.
   */
  #swept(segment: Segment): Segment {
    const first = this.#firstNumber();
    if (segment.sweptAt < first) {
      this.#rows.retain(segment, (at) => numberAt(segment, at) >= first);
      segment.sweptAt = first;
    }
    return segment;
  }
}

function numberAt(segment: Segment, at: number): number {
  const tag = segment.tags[at >>> 1] as number;
  return segment.sweptAt + ((tag - segment.sweptAt) & 255);
}
