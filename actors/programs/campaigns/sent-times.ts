// When each person was sent an occurrence, in whole seconds: goals and the fallback wait count from
// the person's own send. Four bytes per person.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { Column } from '../../../engine/columns/column.ts';

/** Seconds since the epoch by person, 0 for never; trimmed after the last. */
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

  /** The later send counts. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    const fromMs = this.at(from);
    if (fromMs === 0) return;
    if (fromMs > this.at(into)) this.note(into, fromMs);
    this.#seconds.values[from] = 0;
  }

  rebase(to: Rebase): void {
    const seconds = this.#seconds.values;
    for (let person = 0; person < seconds.length; person++) {
      const atMs = this.at(person);
      if (atMs >= to.sinceMs) this.note(person, to.stamp(atMs));
    }
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
