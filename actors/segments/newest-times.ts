// The newest few instants at which each person did one thing: what answers `atLeast` exactly for any window, since the n-th
// newest instant lies within it or does not. A list of columns by rank, so that such a question costs what one about the
// newest does. Kept only for names that a saved filter counts; see `counted-names.ts`.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ScratchSet } from '../../engine/columns/sets.ts';
import { LastSeen, type LastSeenSnapshot } from './last-seen.ts';

export class NewestTimes {
  /** By rank, the newest first. */
  readonly #byRank: LastSeen[];

  /** `kept`: how many instants of each person, at least one. */
  constructor(kept: number) {
    this.#byRank = Array.from({ length: kept }, () => new LastSeen());
  }

  /** The largest `atLeast` that can be answered. */
  get kept(): number {
    return this.#byRank.length;
  }

  get byteLength(): number {
    return this.#byRank.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Notes one more time; events may come in any order. `next`: people there are. */
  add(person: PersonOrdinal, atMs: Millis, next: PersonOrdinal): void {
    let carried = atMs;
    for (const column of this.#byRank) {
      if (carried <= column.at(person)) continue;
      carried = column.push(person, carried, next);
      if (carried === 0) return;
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

  snapshot(): readonly LastSeenSnapshot[] {
    return this.#byRank.map((column) => column.snapshot());
  }

  static restore(from: readonly LastSeenSnapshot[]): NewestTimes {
    const times = new NewestTimes(0);
    times.#byRank.push(...from.map((column) => LastSeen.restore(column)));
    return times;
  }
}
