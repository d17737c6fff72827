// When each person was sent an occurrence, for campaigns with a goal: whether an event came within
// its hours depends on the person's own send, not on when the campaign began. Four bytes a person
// who was sent it.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { Column } from '../../../engine/columns/column.ts';

/** Whole seconds since the epoch by person, 0 for never; up to the last who was sent it. */
export type SentTimesSnapshot = Uint32Array;

export class SentTimes {
  readonly #seconds = new Column<Uint32Array>(4);

  note(person: PersonOrdinal, atMs: Millis): void {
    this.#seconds.reach(person);
    this.#seconds.values[person] = Math.floor(atMs / 1000);
  }

  /** 0 for never. */
  at(person: PersonOrdinal): Millis {
    return (this.#seconds.values[person] ?? 0) * 1000;
  }

  /** Somebody turned out to be somebody else; the later send of the two counts. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    const fromMs = this.at(from);
    if (fromMs === 0) return;
    if (fromMs > this.at(into)) this.note(into, fromMs);
    this.#seconds.values[from] = 0;
  }

  snapshot(): SentTimesSnapshot {
    return this.#seconds.trimmed();
  }

  static restore(from: SentTimesSnapshot): SentTimes {
    const times = new SentTimes();
    times.#seconds.fill(from);
    return times;
  }
}
