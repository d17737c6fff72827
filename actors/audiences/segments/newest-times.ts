// The newest few instants at which each person did one thing: what answers `atLeast` exactly for
// any window, since the n-th newest instant lies within it or does not. A list of columns by rank,
// so that such a question costs what one about the newest does. Kept only for names that a saved
// filter counts; see `counted-names.ts`.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ScratchSet } from '../../../engine/columns/sets.ts';
import { LastSeen, type LastSeenSnapshot } from './last-seen.ts';

export interface NewestTimesSnapshot {
  readonly kept: number;
  /** By rank, the newest first, as far as anybody did it so often. */
  readonly byRank: readonly LastSeenSnapshot[];
}

export class NewestTimes {
  /** How many instants of each person are kept: the largest `atLeast` that can be answered. */
  readonly kept: number;
  /** By rank, the newest first, as far as anybody did it so often. */
  readonly #byRank: LastSeen[] = [];

  constructor(kept: number) {
    this.kept = kept;
  }

  get byteLength(): number {
    return this.#byRank.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Notes one more time; events may come in any order. `next`: people there are. */
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

  /** Adds everybody who did it at least so often after `cutMs`. `atLeast` is at most `kept`. */
  addAtLeast(atLeast: number, cutMs: Millis, into: ScratchSet, spare: ScratchSet): void {
    this.#byRank[atLeast - 1]?.addAfter(cutMs, into, spare);
  }

  /** The column of a rank, 1 for the newest; `undefined` beyond what is kept. */
  rank(rank: number): LastSeen | undefined {
    return this.#byRank[rank - 1];
  }

  /** The person's instant of a rank, 1 for the newest; 0 for none. */
  at(person: PersonOrdinal, rank: number): Millis {
    return this.#byRank[rank - 1]?.at(person) ?? 0;
  }

  /** Takes over what other times, or these, say of `person`, as what `whose` did. */
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
