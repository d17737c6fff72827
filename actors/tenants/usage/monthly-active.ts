// How many people of an app were active per month, each counted once: a bit per person for the
// current month, a number for each past one. Folded from the same entry as what it counts. The
// month is that of acceptance, so a past month never changes; nor does an erasure change it,
// because a bit at an ordinal says nothing of a person.

import { Bitset } from '../../../engine/base/bitset.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import { type DayCounts, MonthDays, type MonthDaysSnapshot } from './month-days.ts';
import { MonthLedger, type MonthLedgerSnapshot } from './month-ledger.ts';

export interface MonthlyActiveSnapshot {
  /** The current month as of the last activity; 0 before any. */
  readonly month: UtcMonth;
  readonly people: Uint8Array;
  readonly finished: MonthLedgerSnapshot<number>;
  /** Absent from before it was noted, like the next. */
  readonly unvouched?: Uint8Array;
  readonly finishedUnvouched?: MonthLedgerSnapshot<number>;
  /** Absent from before days were noted. */
  readonly days?: MonthDaysSnapshot;
}

/** Instants never go back: they are a log's. */
export class MonthlyActive {
  #month: UtcMonth = 0;
  /** The end of the day, cached because an entry of one event should not compute calendars. */
  #dayEndMs: Millis = Number.NEGATIVE_INFINITY;
  #days = new MonthDays();
  #people = new Bitset(0);
  #finished = new MonthLedger<number>();
  /** Created without an API key, and nobody has vouched for them since, in whatever month. */
  #unvouched = new Bitset(0);
  #finishedUnvouched = new MonthLedger<number>();
  /** Whether there may be any, so that most entries need not look. */
  mayHaveUnvouched = false;

  /** Counts a person in the month of `atMs`, the instant of acceptance. */
  touch(person: PersonOrdinal, atMs: Millis): void {
    this.peopleIn(atMs).set(person);
  }

  /** The people of the month of `atMs`, to add to: one look-up for an entry about many. */
  peopleIn(atMs: Millis): Bitset {
    if (atMs >= this.#dayEndMs) this.#beginDay(atMs);
    return this.#people;
  }

  /** A person that a call without an API key created. */
  noteUnvouched(person: PersonOrdinal): void {
    this.#unvouched.set(person);
    this.mayHaveUnvouched = true;
  }

  /** A key, an identity hash or a delivered message says that the person exists. */
  vouch(person: PersonOrdinal): void {
    this.#unvouched.clear(person);
  }

  isUnvouched(person: PersonOrdinal): boolean {
    return this.#unvouched.test(person);
  }

  /** The first from `person` on that nobody has vouched for, whether they exist or not; or -1. */
  nextUnvouched(person: PersonOrdinal): PersonOrdinal | -1 {
    return this.mayHaveUnvouched ? this.#unvouched.nextFrom(person) : -1;
  }

  /** How many of some people, active or not. */
  unvouchedAmong(people: Bitset): number {
    return this.mayHaveUnvouched ? people.clone().and(this.#unvouched).count() : 0;
  }

  /** How many of `count` nobody has vouched for; of a past month, at its end. */
  countUnvouched(month: UtcMonth): number {
    if (month !== this.#month) return this.#finishedUnvouched.get(month) ?? 0;
    return this.#people.clone().and(this.#unvouched).count();
  }

  /** A person counted under both ordinals this month counts once. */
  merge(from: PersonOrdinal, into: PersonOrdinal, atMs: Millis): void {
    this.#unvouched.clear(from);
    const people = this.peopleIn(atMs);
    if (!people.test(from)) return;
    people.clear(from);
    people.set(into);
  }

  /** 0 for a month not kept. The current month costs a scan of its bits. */
  count(month: UtcMonth): number {
    const finished = this.#finished.get(month) ?? 0;
    // A clock that was ahead may have finished the current month early.
    return month === this.#month ? Math.max(finished, this.#people.count()) : finished;
  }

  /**
   * How many were active in the month by the end of each of its days, up to that of `nowMs`;
   * `undefined` for a month whose days are not kept.
   */
  countByDay(month: UtcMonth, nowMs: Millis): DayCounts | undefined {
    // It may be over, with nobody active since.
    const untilMs = Math.min(nowMs, utcMonthStart(month + 1) - 1);
    if (month === this.#month) return this.#days.current(untilMs, this.#people.count());
    if (month === utcMonthOf(nowMs)) return new MonthDays().current(nowMs, 0);
    return this.#days.finished(month);
  }

  /** The clock was ahead: who was active since then was active in the month of `toMs`. */
  rebase(toMs: Millis): void {
    const month = utcMonthOf(toMs);
    if (month > this.#month) return;
    this.#days.rebase(this.#month, toMs);
    this.#dayEndMs = Number.NEGATIVE_INFINITY;
    this.#finished.takeAfter(month);
    this.#finishedUnvouched.takeAfter(month);
    this.#month = month;
  }

  counts(): readonly (readonly [UtcMonth, number])[] {
    const current = this.count(this.#month);
    const finished = this.#finished.snapshot().filter(([month]) => month !== this.#month);
    return current === 0 ? finished : [...finished, [this.#month, current]];
  }

  snapshot(): MonthlyActiveSnapshot {
    return {
      month: this.#month,
      people: this.#people.snapshot(),
      finished: this.#finished.snapshot(),
      unvouched: this.#unvouched.snapshot(),
      finishedUnvouched: this.#finishedUnvouched.snapshot(),
      days: this.#days.snapshot(),
    };
  }

  /** Empty without a snapshot, as from before the meter. */
  static restore(from: MonthlyActiveSnapshot | undefined): MonthlyActive {
    const active = new MonthlyActive();
    if (from === undefined) return active;
    const { month, people, finished, unvouched, finishedUnvouched } = from;
    if (unvouched !== undefined) active.#unvouched = Bitset.restore(unvouched);
    active.mayHaveUnvouched = !active.#unvouched.isEmpty();
    active.#finishedUnvouched = MonthLedger.restore(finishedUnvouched ?? []);
    if (month === 0) return active;
    active.#month = month;
    active.#days = MonthDays.restore(from.days);
    active.#people = Bitset.restore(people);
    active.#finished = MonthLedger.restore(finished);
    return active;
  }

  #beginDay(atMs: Millis): void {
    const month = utcMonthOf(atMs);
    if (month !== this.#month) this.#beginMonth(month);
    this.#days.endBefore(atMs, this.#people.count());
    this.#dayEndMs = (Math.floor(atMs / dayMs) + 1) * dayMs;
  }

  #beginMonth(month: UtcMonth): void {
    if (this.#month !== 0) this.#days.finish(this.#month, this.#people.count());
    const count = this.count(this.#month);
    const unvouched = this.countUnvouched(this.#month);
    if (count > 0) this.#finished.put(this.#month, count);
    if (unvouched > 0) this.#finishedUnvouched.put(this.#month, unvouched);
    this.#finished.trim();
    this.#finishedUnvouched.trim();
    this.#month = month;
    this.#people = new Bitset(0);
  }
}
