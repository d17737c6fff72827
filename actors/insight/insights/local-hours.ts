// The weekday and hour of a zone's wall clock, for millions of instants: a zone's offset is looked
// up only twice per UTC day, and once more for the instant of a change. The hour that occurs twice
// in autumn is one hour of the week, and the one that is skipped in spring stays empty.

import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import type { OffsetAt } from '../../../engine/time/civil-time.ts';

export const hoursOfWeek = 7 * 24;

/** A UTC day: the offset until an instant, and from it on. No zone changes twice in a day. */
interface DayOffsets {
  readonly before: Millis;
  readonly changeMs: Millis;
  readonly after: Millis;
}

export class LocalHours {
  readonly #offsetAt: OffsetAt;
  readonly #days = new Map<number, DayOffsets>();
  #day = -1;
  #offsets: DayOffsets | undefined;

  constructor(offsetAt: OffsetAt) {
    this.#offsetAt = offsetAt;
  }

  /** Hours since the start of the local week, on Monday at midnight. */
  cellOf(atMs: Millis): number {
    const day = Math.floor(atMs / dayMs);
    // A person's events follow one another, so it is mostly the day of the last call.
    let offsets = day === this.#day ? this.#offsets : this.#days.get(day);
    if (offsets === undefined) {
      offsets = this.#offsetsOf(day);
      this.#days.set(day, offsets);
    }
    this.#day = day;
    this.#offsets = offsets;
    const local = atMs + (atMs < offsets.changeMs ? offsets.before : offsets.after);
    // 1 January 1970 was a Thursday, three days after a Monday.
    return (Math.floor(local / hourMs) + 3 * 24) % hoursOfWeek;
  }

  #offsetsOf(day: number): DayOffsets {
    const before = this.#offsetAt(day * dayMs);
    const after = this.#offsetAt((day + 1) * dayMs);
    let low = day * dayMs;
    let high = before === after ? low : low + dayMs;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return { before, changeMs: high, after };
  }
}
