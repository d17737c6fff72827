// One partition's timers: a hierarchical wheel in typed arrays, folded from the log. A timer's list
// depends only on its due time and the hand, so scheduling order is kept. `due` moves the hand but
// removes nothing; the entry of a fired timer does, through `remove`.

import { assert } from '../base/assert.ts';
import type { Millis } from '../base/brand.ts';
import { FirstSet } from '../base/first-set.ts';
import { Heap } from '../base/heap.ts';
import { noSlot, TimerRecords, type TimerRecordsSnapshot } from './timer-records.ts';

/** Due times are whole milliseconds below this: the year 4199. */
const maxDueMs = 2 ** 46;

// A level's window ends on a border of the next level's unit, so whole lists move down.
const secondBits = 10;
const minuteBits = 16;
const dayBits = 26;
const yearBits = 36;
const secondMs = 2 ** secondBits;
const minuteMs = 2 ** minuteBits;
const dayMs = 2 ** dayBits;
const yearMs = 2 ** yearBits;
const minutesAhead = 64; // of seconds
const daysAhead = 64; // of minutes
const yearsAhead = 8; // of days
const millisSlots = 1024;
const secondSlots = 4096;
const minuteSlots = 65536;
const daySlots = 8192;
const yearSlots = 1024;
const seconds = millisSlots;
const minutes = seconds + secondSlots;
const days = minutes + minuteSlots;
const years = days + daySlots;
const lists = years + yearSlots;

/** `next` of a timer in the heap of late ones; its `previous` is then its heap position. */
const inHeap = 0x7ffffffe;

/** Plain data from which `TimerWheel.restore` makes an identical wheel. */
export type TimerWheelSnapshot = TimerRecordsSnapshot;

/** Pending timers by (due time, scheduling). Handles are whole numbers above 0, not soon reused. */
export class TimerWheel {
  readonly #records: TimerRecords;
  readonly #heads = new Int32Array(lists).fill(noSlot);
  readonly #tails = new Int32Array(lists).fill(noSlot);
  readonly #filled = new FirstSet(lists);
  /** Timers scheduled for an instant that the hand had already passed. */
  readonly #late: Heap;
  /** Timers the hand has passed, in order, waiting to be removed. */
  #readyHead = noSlot;
  #readyTail = noSlot;
  #readyCount = 0;
  /** The hand: the first millisecond whose list is still in the wheel. */
  #hand = 0;
  #millisEnd = secondMs;
  #secondsEnd = minutesAhead * minuteMs;
  #minutesEnd = daysAhead * dayMs;
  #daysEnd = yearsAhead * yearMs;
  /** The earliest due time of the timers in the lists; undefined when it must be looked for. */
  #earliest: number | undefined = Number.POSITIVE_INFINITY;

  constructor(records = new TimerRecords()) {
    this.#records = records;
    this.#late = new Heap({
      before: (first, second) => {
        const firstDue = records.dueMs(first);
        const secondDue = records.dueMs(second);
        if (firstDue !== secondDue) return firstDue < secondDue;
        return records.number(first) < records.number(second);
      },
      moved: (slot, position) => records.setPrevious(slot, position),
    });
  }

  get count(): number {
    return this.#records.count;
  }

  /** Bytes held: 44 a timer in pages of 16,384, and 0.7 MB for the wheel itself. */
  get byteLength(): number {
    return this.#records.byteLength + this.#heads.byteLength + this.#tails.byteLength;
  }

  /**
   * Adds a timer; returns its handle. `dueMs` may be past, and is a whole number in [0,
   * `maxDueMs`). `kind` has 16 bits, the other words 32. At most 2^24 timers are pending.
   */
  schedule(
    dueMs: Millis,
    kind: number,
    owner: number,
    a: number,
    b: number,
    c: number,
    d: number,
  ): number {
    assert(
      dueMs >= 0 && dueMs < maxDueMs && Math.floor(dueMs) === dueMs,
      'timers: due time out of range',
    );
    assert((kind & 0xffff) === kind, 'timers: kind out of range');
    const slot = this.#records.allocate(dueMs, kind, owner, a, b, c, d);
    this.#file(slot, dueMs);
    return this.#records.handleOf(slot);
  }

  /** Cancels a pending timer. False if it has fired or was canceled. */
  cancel(handle: number): boolean {
    const slot = this.#records.slotOf(handle);
    if (slot === noSlot) return false;
    this.#takeOut(slot);
    return true;
  }

  /** Removes a fired timer. It must be pending, because its entry was decided on that. */
  remove(handle: number): void {
    this.#takeOut(this.#slot(handle));
  }

  has(handle: number): boolean {
    return this.#records.slotOf(handle) !== noSlot;
  }

  /** Due time of a pending timer. Readers accept only handles of pending timers. */
  dueMs(handle: number): Millis {
    return this.#records.dueMs(this.#slot(handle));
  }

  kind(handle: number): number {
    return this.#records.kind(this.#slot(handle));
  }

  owner(handle: number): number {
    return this.#records.owner(this.#slot(handle));
  }

  /** One reference word of a pending timer. */
  reference(handle: number, index: 0 | 1 | 2 | 3): number {
    return this.#records.reference(this.#slot(handle), index);
  }

  /**
   * Handles of at most `limit` timers due by `nowMs`, by (due time, scheduling). They stay pending
   * until removed, so a repeated call returns the same. O(handles), plus lists moved down.
   */
  due(nowMs: Millis, limit: number): number[] {
    this.#turnTo(nowMs, limit);
    const records = this.#records;
    const late = this.#late.leading(limit);
    const out: number[] = [];
    let ready = this.#readyHead;
    let at = 0;
    while (out.length < limit) {
      const lateSlot = late[at];
      // At one due time, ready timers were scheduled before late ones.
      const takeLate =
        lateSlot !== undefined &&
        (ready === noSlot || records.dueMs(lateSlot) < records.dueMs(ready));
      const slot = takeLate ? lateSlot : ready;
      if (slot === noSlot || records.dueMs(slot) > nowMs) break;
      out.push(records.handleOf(slot));
      if (takeLate) at++;
      else ready = records.next(slot);
    }
    return out;
  }

  /** Due time of the first timer, or undefined. O(1) unless the first was just removed. */
  nextDueMs(): Millis | undefined {
    let earliest = Number.POSITIVE_INFINITY;
    if (this.#readyHead !== noSlot) earliest = this.#records.dueMs(this.#readyHead);
    const late = this.#late.first;
    if (late !== undefined) earliest = Math.min(earliest, this.#records.dueMs(late));
    // Ready and late timers are earlier than all in the lists.
    if (earliest === Number.POSITIVE_INFINITY) earliest = this.#earliest ?? this.#findEarliest();
    return earliest === Number.POSITIVE_INFINITY ? undefined : earliest;
  }

  /** Pending timers, free slots and numbering as plain data. O(most slots ever used). */
  snapshot(): TimerWheelSnapshot {
    return this.#records.snapshot();
  }

  /** The wheel of a snapshot: same handles and order now, same handles for later timers. */
  static restore(snapshot: TimerWheelSnapshot): TimerWheel {
    const records = TimerRecords.restore(snapshot);
    const wheel = new TimerWheel(records);
    for (const slot of records.inOrderOfNumber()) wheel.#file(slot, records.dueMs(slot));
    return wheel;
  }

  /** The same timers at other due times; same handles, and order where they are due together. */
  rescheduled(dueMs: (before: Millis) => Millis): TimerWheel {
    const records = TimerRecords.restore(this.snapshot());
    records.setAllDue(dueMs);
    const wheel = new TimerWheel(records);
    for (const slot of records.inOrderOfNumber()) wheel.#file(slot, records.dueMs(slot));
    return wheel;
  }

  #slot(handle: number): number {
    const slot = this.#records.slotOf(handle);
    assert(slot !== noSlot, 'timers: no such timer is pending');
    return slot;
  }

  #file(slot: number, dueMs: number): void {
    if (dueMs < this.#hand) {
      this.#records.setNext(slot, inHeap);
      this.#late.push(slot);
      return;
    }
    if (this.#earliest !== undefined && dueMs < this.#earliest) this.#earliest = dueMs;
    this.#append(this.#listOf(dueMs, this.#records.dueLow(slot)), slot);
  }

  #append(list: number, slot: number): void {
    const tail = this.#tails[list] as number;
    this.#records.setNext(slot, noSlot);
    this.#records.setPrevious(slot, tail);
    if (tail === noSlot) {
      this.#heads[list] = slot;
      this.#filled.add(list);
    } else {
      this.#records.setNext(tail, slot);
    }
    this.#tails[list] = slot;
  }

  /** The list of a due time that the hand has not passed. */
  #listOf(dueMs: number, dueLow: number): number {
    if (dueMs < this.#millisEnd) return dueLow & (millisSlots - 1);
    if (dueMs < this.#secondsEnd) return seconds + ((dueLow >>> secondBits) & (secondSlots - 1));
    if (dueMs < this.#minutesEnd) return minutes + (dueLow >>> minuteBits);
    if (dueMs < this.#daysEnd) return days + (Math.floor(dueMs / dayMs) & (daySlots - 1));
    return years + Math.floor(dueMs / yearMs);
  }

  #takeOut(slot: number): void {
    const records = this.#records;
    const dueMs = records.dueMs(slot);
    const next = records.next(slot);
    const previous = records.previous(slot);
    if (next === inHeap) {
      this.#late.removeAt(previous);
    } else if (dueMs < this.#hand) {
      if (previous === noSlot) this.#readyHead = next;
      else records.setNext(previous, next);
      if (next === noSlot) this.#readyTail = previous;
      else records.setPrevious(next, previous);
      this.#readyCount--;
    } else {
      const list = this.#listOf(dueMs, records.dueLow(slot));
      if (previous === noSlot) this.#heads[list] = next;
      else records.setNext(previous, next);
      if (next === noSlot) this.#tails[list] = previous;
      else records.setPrevious(next, previous);
      if (previous === noSlot && next === noSlot) this.#filled.delete(list);
      if (dueMs === this.#earliest) this.#earliest = undefined;
    }
    records.release(slot);
  }

  /** Moves the hand past `nowMs`, or until `wanted` timers wait in the ready list. */
  #turnTo(nowMs: number, wanted: number): void {
    while (this.#hand <= nowMs && this.#readyCount < wanted) {
      const list = this.#firstList();
      const head = list < 0 ? noSlot : (this.#heads[list] as number);
      // A timer alone in the first list is the earliest: most need not move down level by level.
      const isOneInstant = list < millisSlots || head === this.#tails[list];
      const atMs =
        list < 0
          ? Number.POSITIVE_INFINITY
          : isOneInstant
            ? this.#records.dueMs(head)
            : this.#startOf(list);
      if (atMs > nowMs) {
        this.#moveHand(nowMs + 1);
      } else if (isOneInstant) {
        this.#makeReady(list);
        if (atMs === this.#earliest) this.#earliest = undefined;
        this.#moveHand(atMs + 1);
      } else {
        this.#moveHand(atMs); // brings the list down to finer ones
      }
    }
  }

  /** Moves a whole list of one millisecond to the end of the ready list. */
  #makeReady(list: number): void {
    const records = this.#records;
    const head = this.#heads[list] as number;
    for (let slot = head; slot !== noSlot; slot = records.next(slot)) this.#readyCount++;
    if (this.#readyTail === noSlot) {
      this.#readyHead = head;
    } else {
      records.setNext(this.#readyTail, head);
      records.setPrevious(head, this.#readyTail);
    }
    this.#readyTail = this.#tails[list] as number;
    this.#empty(list);
  }

  #empty(list: number): void {
    this.#heads[list] = noSlot;
    this.#tails[list] = noSlot;
    this.#filled.delete(list);
  }

  /** Moves the hand to an instant before which all lists are empty, and moves lists down. */
  #moveHand(toMs: number): void {
    this.#hand = toMs;
    if (toMs < this.#millisEnd) return;
    // Finest level first: a coarser list may move into a list that a finer one just left.
    const second = Math.floor(toMs / secondMs);
    this.#millisEnd = (second + 1) * secondMs;
    const oldMinute = this.#secondsEnd / minuteMs;
    const minute = Math.floor(toMs / minuteMs);
    if (minute + minutesAhead === oldMinute) {
      this.#bringDown(seconds + (second & (secondSlots - 1)));
      return;
    }
    const oldDay = this.#minutesEnd / dayMs;
    const oldYear = this.#daysEnd / yearMs;
    const day = Math.floor(toMs / dayMs);
    const year = Math.floor(toMs / yearMs);
    this.#secondsEnd = (minute + minutesAhead) * minuteMs;
    this.#minutesEnd = (day + daysAhead) * dayMs;
    this.#daysEnd = (year + yearsAhead) * yearMs;
    this.#bringDown(seconds + (second & (secondSlots - 1)));
    for (let at = Math.max(oldMinute, minute); at < minute + minutesAhead; at++) {
      this.#bringDown(minutes + (at & (minuteSlots - 1)));
    }
    for (let at = Math.max(oldDay, day); at < day + daysAhead; at++) {
      this.#bringDown(days + (at & (daySlots - 1)));
    }
    for (let at = Math.max(oldYear, year); at < Math.min(year + yearsAhead, yearSlots); at++) {
      this.#bringDown(years + at);
    }
  }

  #bringDown(list: number): void {
    let slot = this.#heads[list] as number;
    if (slot === noSlot) return;
    this.#empty(list);
    const records = this.#records;
    while (slot !== noSlot) {
      const next = records.next(slot);
      this.#append(this.#listOf(records.dueMs(slot), records.dueLow(slot)), slot);
      slot = next;
    }
  }

  /** The list with the earliest timers; -1 when all are empty. */
  #firstList(): number {
    let list = this.#filled.from(this.#hand & (millisSlots - 1), millisSlots);
    if (list < 0) list = this.#firstOfRing(seconds, secondSlots, secondMs);
    if (list < 0) list = this.#firstOfRing(minutes, minuteSlots, minuteMs);
    if (list < 0) list = this.#firstOfRing(days, daySlots, dayMs);
    if (list < 0) list = this.#firstOfRing(years, yearSlots, yearMs);
    return list;
  }

  #firstOfRing(base: number, slots: number, unitMs: number): number {
    const start = base + (Math.floor(this.#hand / unitMs) & (slots - 1));
    const list = this.#filled.from(start, base + slots);
    return list >= 0 ? list : this.#filled.from(base, start);
  }

  /** When a list above the finest level begins; the list must not be empty. */
  #startOf(list: number): number {
    const unitMs =
      list < minutes ? secondMs : list < days ? minuteMs : list < years ? dayMs : yearMs;
    return Math.floor(this.#records.dueMs(this.#heads[list] as number) / unitMs) * unitMs;
  }

  #findEarliest(): number {
    const list = this.#firstList();
    let earliest = Number.POSITIVE_INFINITY;
    if (list >= 0) {
      for (
        let slot = this.#heads[list] as number;
        slot !== noSlot;
        slot = this.#records.next(slot)
      ) {
        earliest = Math.min(earliest, this.#records.dueMs(slot));
        if (list < millisSlots) break;
      }
    }
    this.#earliest = earliest;
    return earliest;
  }
}
