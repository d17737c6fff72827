// How many people of an app were active in a month, each counted once: a bit a person in the month
// under way, a number for each that is over. It is committed with what it counts, because both are
// folded from the same entry. What a reader would get wrong: the month is that of acceptance, never
// of an event's own time, so a month that is over never changes. Nor does an erasure change one: a
// bit at an ordinal says nothing of a person.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import { MonthLedger, type MonthLedgerSnapshot } from './month-ledger.ts';

/** As a checkpoint has it. */
export interface MonthlyActiveSnapshot {
  /** The month under way when it was last told of anybody; 0 before that. */
  readonly month: UtcMonth;
  readonly people: Uint8Array;
  readonly finished: MonthLedgerSnapshot<number>;
}

/** Who of one app was active. Instants never go back: they are a log's. */
export class MonthlyActive {
  #month: UtcMonth = 0;
  /**
   * Where `#month` ends; derived from it, as an entry of one event should not divide by calendars.
   */
  #endMs: Millis = Number.NEGATIVE_INFINITY;
  #people = new Bitset(0);
  #finished = new MonthLedger<number>();

  /** Counts a person in the month of `atMs`, the instant of acceptance. */
  touch(person: PersonOrdinal, atMs: Millis): void {
    this.peopleIn(atMs).set(person);
  }

  /**
   * The people of the month of `atMs`, to add to: for an entry about many, which looks the month up
   * once.
   */
  peopleIn(atMs: Millis): Bitset {
    if (atMs >= this.#endMs) this.#begin(utcMonthOf(atMs));
    return this.#people;
  }

  /**
   * Somebody turned out to be somebody else: whoever was counted as both this month counts once.
   */
  merge(from: PersonOrdinal, into: PersonOrdinal, atMs: Millis): void {
    const people = this.peopleIn(atMs);
    if (!people.test(from)) return;
    people.clear(from);
    people.set(into);
  }

  /**
   * How many were active in a month; 0 for one that is not kept. A bit a person is looked at for
   * the month under way.
   */
  count(month: UtcMonth): number {
    return month === this.#month ? this.#people.count() : (this.#finished.get(month) ?? 0);
  }

  /** Every month that somebody was active in, with how many, the oldest first. */
  counts(): readonly (readonly [UtcMonth, number])[] {
    const current = this.#people.count();
    const finished = this.#finished.snapshot();
    return current === 0 ? finished : [...finished, [this.#month, current]];
  }

  snapshot(): MonthlyActiveSnapshot {
    return {
      month: this.#month,
      people: this.#people.snapshot(),
      finished: this.#finished.snapshot(),
    };
  }

  /** What a snapshot holds; nobody without one, as before there was a meter. */
  static restore(from: MonthlyActiveSnapshot | undefined): MonthlyActive {
    const active = new MonthlyActive();
    if (from === undefined || from.month === 0) return active;
    const { month, people, finished } = from;
    active.#month = month;
    active.#endMs = utcMonthStart(month + 1);
    active.#people = Bitset.restore(people);
    active.#finished = MonthLedger.restore(finished);
    return active;
  }

  #begin(month: UtcMonth): void {
    const count = this.#people.count();
    if (count > 0) this.#finished.put(this.#month, count);
    this.#finished.keepUntil(month);
    this.#month = month;
    this.#endMs = utcMonthStart(month + 1);
    this.#people = new Bitset(0);
  }
}
