// When each person did one thing, every time: only for names that a saved filter counts (`atLeast` of two and more), since
// the newest instant answers everything else. Instants older than any window may be are let go as new ones come.

import type { Bitset } from '../../engine/base/bitset.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

const keptMs: Millis = limits.windowDaysMax * dayMs;

export interface EventTimesSnapshot {
  readonly people: Uint32Array;
  /** How many instants each of them has. */
  readonly counts: Uint32Array;
  readonly instants: Float64Array;
}

export class EventTimes {
  /** Ascending instants by person. */
  readonly #times = new Map<PersonOrdinal, Millis[]>();

  /** Notes one more time. Events may come late, so it is put where it belongs. `nowMs` decides what is too old. */
  add(person: PersonOrdinal, atMs: Millis, nowMs: Millis): void {
    const times = this.#times.get(person);
    if (times === undefined) {
      this.#times.set(person, [atMs]);
      return;
    }
    let place = times.length;
    while (place > 0 && (times[place - 1] as Millis) > atMs) place--;
    times.splice(place, 0, atMs);
    let old = 0;
    while (old < times.length && (times[old] as Millis) <= nowMs - keptMs) old++;
    if (old > 0) times.splice(0, old);
    if (times.length === 0) this.#times.delete(person);
  }

  /** When they did it, ascending. */
  instantsOf(person: PersonOrdinal): readonly Millis[] {
    return this.#times.get(person) ?? [];
  }

  /** How often it was done after `cutMs`. */
  countAfter(person: PersonOrdinal, cutMs: Millis): number {
    const times = this.#times.get(person);
    if (times === undefined) return 0;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as Millis) > cutMs) high = middle;
      else low = middle + 1;
    }
    return times.length - low;
  }

  /** Adds everybody who did it at least so often after `cutMs`: whose n-th last time is still within. */
  addAtLeast(atLeast: number, cutMs: Millis, into: Bitset): void {
    for (const [person, times] of this.#times) {
      const nth = times[times.length - atLeast];
      if (nth !== undefined && nth > cutMs) into.set(person);
    }
  }

  forget(person: PersonOrdinal): void {
    this.#times.delete(person);
  }

  snapshot(): EventTimesSnapshot {
    const people = Uint32Array.from(this.#times.keys());
    const counts = Uint32Array.from(this.#times.values(), (times) => times.length);
    return { people, counts, instants: Float64Array.from([...this.#times.values()].flat()) };
  }

  static restore({ people, counts, instants }: EventTimesSnapshot): EventTimes {
    const column = new EventTimes();
    let from = 0;
    people.forEach((person, i) => {
      const to = from + (counts[i] as number);
      column.#times.set(person, [...instants.subarray(from, to)]);
      from = to;
    });
    return column;
  }
}
