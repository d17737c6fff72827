// The rows behind the timer wheel: 44 bytes per pending timer, in pages that are never copied. A
// slot depends only on the history of `allocate` and `release`, so refolding a log gives the same
// handles; places in the wheel are not in a snapshot.

import { assert } from '../base/assert.ts';
import { bytesOfWords, wordsOfBytes } from '../base/words.ts';

/** No slot; also the end of a list. */
export const noSlot = 0x7fffffff;
/** Most pending timers: slots have 24 bits. */
const maxTimers = 2 ** 24;

// The wheel walks lists of unrelated timers, so links and due times are stored separately, four
// timers to a cache line. Words of a link: 0 next · 1 previous · 2 due, low 32 bits · 3 due, high
// 16, then kind, 16. Words of a row: 0 owner · 1–4 reference · 5 number, low 32 · 6 number, high
// 32. A free row is all zero.
const linkWords = 4;
const rowWords = 7;
const next = 0;
const previous = 1;
const dueLow = 2;
const dueHighAndKind = 3;
const numberLow = 5;
const numberHigh = 6;
// Saved: the row, due, kind; a free slot has the next free slot instead of its owner.
const savedWords = 9;

const pageBits = 14;
const slotsPerPage = 1 << pageBits;
const slotInPage = slotsPerPage - 1;
const numberInHandle = 2 ** 29 - 1;

/** Plain data from which `TimerRecords.restore` makes the same rows again. */
export interface TimerRecordsSnapshot {
  readonly used: number;
  readonly count: number;
  readonly freeSlot: number;
  readonly nextNumber: number;
  /** Nine words per slot in machine byte order; a free slot starts with the next free one. */
  readonly rows: Uint8Array;
}

/** Rows of pending timers by slot. */
export class TimerRecords {
  readonly #links: Uint32Array[] = [];
  readonly #rows: Uint32Array[] = [];
  #used = 0;
  #count = 0;
  #freeSlot = noSlot;
  #nextNumber = 1;

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#rows.length * slotsPerPage * (linkWords + rowWords) * 4;
  }

  /** Writes a row and returns its slot. The caller ensures at most `maxTimers` live rows. */
  allocate(
    dueMs: number,
    kind: number,
    owner: number,
    a: number,
    b: number,
    c: number,
    d: number,
  ): number {
    let slot = this.#freeSlot;
    if (slot === noSlot) {
      slot = this.#used;
      assert(slot < maxTimers, 'timers: more pending than a partition may have');
      if ((slot & slotInPage) === 0) this.#addPage();
      this.#used = slot + 1;
    } else {
      this.#freeSlot = this.#link(slot, next);
    }
    const number = this.#nextNumber;
    // Skips numbers that end in 29 zero bits, so no handle is 0.
    this.#nextNumber = ((number + 1) & numberInHandle) === 0 ? number + 2 : number + 1;
    const links = this.#links[slot >>> pageBits] as Uint32Array;
    const link = (slot & slotInPage) * linkWords;
    links[link + next] = noSlot;
    links[link + previous] = noSlot;
    links[link + dueLow] = dueMs;
    links[link + dueHighAndKind] = (Math.floor(dueMs / 4294967296) << 16) | kind;
    const rows = this.#rows[slot >>> pageBits] as Uint32Array;
    const row = (slot & slotInPage) * rowWords;
    rows[row] = owner;
    rows[row + 1] = a;
    rows[row + 2] = b;
    rows[row + 3] = c;
    rows[row + 4] = d;
    rows[row + numberLow] = number;
    rows[row + numberHigh] = number / 4294967296;
    this.#count++;
    return slot;
  }

  /** Clears a row; the last freed slot is reused first. */
  release(slot: number): void {
    const rows = this.#rows[slot >>> pageBits] as Uint32Array;
    const row = (slot & slotInPage) * rowWords;
    for (let word = 0; word < rowWords; word++) rows[row + word] = 0;
    this.#setLink(slot, next, this.#freeSlot);
    this.#freeSlot = slot;
    this.#count--;
  }

  /** A live row's handle: slot and 29 bits of its number, above 0 and below 2^53. */
  handleOf(slot: number): number {
    return (this.#row(slot, numberLow) & numberInHandle) * maxTimers + slot;
  }

  /** A handle's slot, or `noSlot` if its timer is gone. */
  slotOf(handle: number): number {
    const number = Math.floor(handle / maxTimers);
    const slot = handle - number * maxTimers;
    if (!(slot < this.#used)) return noSlot;
    const low = this.#row(slot, numberLow);
    if ((low & numberInHandle) !== number) return noSlot;
    return low === 0 && this.#row(slot, numberHigh) === 0 ? noSlot : slot;
  }

  dueMs(slot: number): number {
    return (this.#link(slot, dueHighAndKind) >>> 16) * 4294967296 + this.#link(slot, dueLow);
  }

  /** Places in a wheel are then wrong. */
  setAllDue(dueMs: (before: number) => number): void {
    for (let slot = 0; slot < this.#used; slot++) {
      if (!this.#isLive(slot)) continue;
      const due = dueMs(this.dueMs(slot));
      const kind = this.kind(slot);
      this.#setLink(slot, dueLow, due);
      this.#setLink(slot, dueHighAndKind, (Math.floor(due / 4294967296) << 16) | kind);
    }
  }

  dueLow(slot: number): number {
    return this.#link(slot, dueLow);
  }

  kind(slot: number): number {
    return this.#link(slot, dueHighAndKind) & 0xffff;
  }

  owner(slot: number): number {
    return this.#row(slot, 0);
  }

  /** One reference word; `index` is 0 to 3. */
  reference(slot: number, index: number): number {
    return this.#row(slot, 1 + index);
  }

  /** Its position in the order of `allocate` calls. */
  number(slot: number): number {
    return this.#row(slot, numberHigh) * 4294967296 + this.#row(slot, numberLow);
  }

  next(slot: number): number {
    return this.#link(slot, next);
  }

  previous(slot: number): number {
    return this.#link(slot, previous);
  }

  /** `slot` must be live. */
  setNext(slot: number, value: number): void {
    this.#setLink(slot, next, value);
  }

  /** `slot` must be live. */
  setPrevious(slot: number, value: number): void {
    this.#setLink(slot, previous, value);
  }

  /** Live slots in scheduling order; O(used), by radix sort. */
  inOrderOfNumber(): Uint32Array {
    let slots = new Uint32Array(this.#count);
    let at = 0;
    for (let slot = 0; slot < this.#used; slot++) {
      if (this.#row(slot, numberLow) !== 0 || this.#row(slot, numberHigh) !== 0) slots[at++] = slot;
    }
    let spare = new Uint32Array(slots.length);
    for (const [word, shift] of [
      [numberLow, 0],
      [numberLow, 16],
      [numberHigh, 0],
    ] as const) {
      const starts = new Uint32Array(65537);
      for (const slot of slots)
        (starts[((this.#row(slot, word) >>> shift) & 0xffff) + 1] as number)++;
      for (let digit = 0; digit < 65536; digit++) {
        starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
      }
      for (const slot of slots) {
        const digit = (this.#row(slot, word) >>> shift) & 0xffff;
        const place = starts[digit] as number;
        starts[digit] = place + 1;
        spare[place] = slot;
      }
      [slots, spare] = [spare, slots];
    }
    return slots;
  }

  /** All rows as plain data: the same for the same history, whatever was read in between. */
  snapshot(): TimerRecordsSnapshot {
    const saved = new Uint32Array(this.#used * savedWords);
    for (let slot = 0, to = 0; slot < this.#used; slot++, to += savedWords) {
      if (!this.#isLive(slot)) {
        saved[to] = this.#link(slot, next);
        continue;
      }
      const rows = this.#rows[slot >>> pageBits] as Uint32Array;
      const row = (slot & slotInPage) * rowWords;
      for (let word = 0; word < rowWords; word++) saved[to + word] = rows[row + word] as number;
      saved[to + rowWords] = this.#link(slot, dueLow);
      saved[to + rowWords + 1] = this.#link(slot, dueHighAndKind);
    }
    return {
      used: this.#used,
      count: this.#count,
      freeSlot: this.#freeSlot,
      nextNumber: this.#nextNumber,
      rows: bytesOfWords(saved),
    };
  }

  /** A snapshot's rows, unlinked. */
  static restore(snapshot: TimerRecordsSnapshot): TimerRecords {
    const records = new TimerRecords();
    const saved = wordsOfBytes(snapshot.rows);
    assert(saved.length === snapshot.used * savedWords, 'timers: snapshot of another size');
    for (let slot = 0, from = 0; slot < snapshot.used; slot++, from += savedWords) {
      if ((slot & slotInPage) === 0) records.#addPage();
      if (saved[from + numberLow] === 0 && saved[from + numberHigh] === 0) {
        records.#setLink(slot, next, saved[from] as number);
        continue;
      }
      const rows = records.#rows[slot >>> pageBits] as Uint32Array;
      const row = (slot & slotInPage) * rowWords;
      for (let word = 0; word < rowWords; word++) rows[row + word] = saved[from + word] as number;
      records.#setLink(slot, dueLow, saved[from + rowWords] as number);
      records.#setLink(slot, dueHighAndKind, saved[from + rowWords + 1] as number);
    }
    records.#used = snapshot.used;
    records.#count = snapshot.count;
    records.#freeSlot = snapshot.freeSlot;
    records.#nextNumber = snapshot.nextNumber;
    return records;
  }

  #addPage(): void {
    this.#links.push(new Uint32Array(slotsPerPage * linkWords));
    this.#rows.push(new Uint32Array(slotsPerPage * rowWords));
  }

  #isLive(slot: number): boolean {
    return this.#row(slot, numberLow) !== 0 || this.#row(slot, numberHigh) !== 0;
  }

  #row(slot: number, word: number): number {
    return (this.#rows[slot >>> pageBits] as Uint32Array)[
      (slot & slotInPage) * rowWords + word
    ] as number;
  }

  #link(slot: number, word: number): number {
    return (this.#links[slot >>> pageBits] as Uint32Array)[
      (slot & slotInPage) * linkWords + word
    ] as number;
  }

  #setLink(slot: number, word: number, value: number): void {
    (this.#links[slot >>> pageBits] as Uint32Array)[(slot & slotInPage) * linkWords + word] = value;
  }
}
