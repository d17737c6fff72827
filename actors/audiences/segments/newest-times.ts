// The newest few instants at which each person did one thing: answers `atLeast` n exactly for any
// window, by whether the n-th newest instant lies in it. One column per rank, so it costs what the
// newest does. Kept only for counted names; see `counted-names.ts`.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ScratchSet } from '../../../engine/columns/sets.ts';
import { LastSeen } from './last-seen.ts';
import type { NewestTimesSnapshot } from './records.ts';

export class NewestTimes {
  /** Instants kept per person: the largest `atLeast` that can be answered. */
  readonly kept: number;
  /** By rank, the newest first; no longer than the most that anyone did it. */
  readonly #byRank: LastSeen[] = [];

  constructor(kept: number) {
    this.kept = kept;
  }

  get byteLength(): number {
    return this.#byRank.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Adds one instant; events may come in any order. `next`: how many people exist. */
  add(person: PersonOrdinal, atMs: Millis, next: PersonOrdinal): void {
    let carried = atMs;
    for (let rank = 0; carried > 0 && rank < this.kept; rank++) {
      let column = this.#byRank[rank];
      if (column === undefined) {
        column = new LastSeen();
        this.#byRank.push(column);
      }
      if (carried > column.at(person)) carried = column.push(person, carried, next);
    }
  }

  /** How often it was done after `cutMs`, counted up to `kept`. */
  countAfter(person: PersonOrdinal, cutMs: Millis): number {
    let count = 0;
    for (const column of this.#byRank) {
      if (column.at(person) <= cutMs) break;
      count++;
    }
    return count;
  }

  /** Adds everyone who did it at least so often after `cutMs`. `atLeast` is at most `kept`. */
  addAtLeast(atLeast: number, cutMs: Millis, into: ScratchSet, spare: ScratchSet): void {
    this.#byRank[atLeast - 1]?.addAfter(cutMs, into, spare);
  }

  /** The column of a rank, 1 for the newest; `undefined` beyond what is kept. */
  rank(rank: number): LastSeen | undefined {
    return this.#byRank[rank - 1];
  }

  at(person: PersonOrdinal, rank: number): Millis {
    return this.#byRank[rank - 1]?.at(person) ?? 0;
  }

  /** Adds the instants of `person` in `other` to those of `whose` here. */
  addAll(
    other: NewestTimes,
    person: PersonOrdinal,
    whose: PersonOrdinal,
    next: PersonOrdinal,
  ): void {
    for (const column of other.#byRank) {
      const atMs = column.at(person);
      if (atMs === 0) return;
      this.add(whose, atMs, next);
    }
  }

  forget(person: PersonOrdinal): void {
    for (const column of this.#byRank) column.forget(person);
  }

  snapshot(): NewestTimesSnapshot {
    return { kept: this.kept, byRank: this.#byRank.map((column) => column.snapshot()) };
  }

  static restore({ kept, byRank }: NewestTimesSnapshot): NewestTimes {
    const times = new NewestTimes(kept);
    for (const column of byRank) times.#byRank.push(LastSeen.restore(column));
    return times;
  }
}
