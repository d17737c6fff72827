// How many people of an app had been active in a month by the end of each of its UTC days: the
// curve of a month. For the current month and the three before it, as a month's total is what is
// billed and kept longer.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';

const finishedKept = 3;

/** By day of the month, from the first; `null`: before days were noted. */
export type DayCounts = readonly (number | null)[];

export interface MonthDaysSnapshot {
  readonly ended: DayCounts;
  /** Whether the days after them are unknown, up to the next activity. */
  readonly isUnknown?: true;
  readonly finished: readonly (readonly [UtcMonth, DayCounts])[];
}

export class MonthDays {
  /** Days of the current month that are over. */
  #ended: (number | null)[] = [];
  #finished: readonly (readonly [UtcMonth, DayCounts])[] = [];
  /** Of a month that an earlier version began: nobody knows its first days. */
  #isUnknown = false;

  /** The days before that of `atMs` are over; `people` were active until now. */
  endBefore(atMs: Millis, people: number): void {
    this.#endUntil(dayOf(atMs), people);
  }

  /** The month is over, and another begins. */
  finish(month: UtcMonth, people: number): void {
    this.#endUntil(daysIn(month), people);
    const others = this.#finished.filter(([one]) => one !== month);
    this.#finished = [...others, [month, this.#ended] as const].slice(-finishedKept);
    this.#ended = [];
  }

  /** Of the current month up to the day of `nowMs`, which has `people` so far. */
  current(nowMs: Millis, people: number): DayCounts {
    const days = this.#ended.slice(0, dayOf(nowMs));
    while (days.length < dayOf(nowMs)) days.push(this.#isUnknown ? null : people);
    return [...days, people];
  }

  /** `undefined` for months that are not kept. */
  finished(month: UtcMonth): DayCounts | undefined {
    return this.#finished.find(([one]) => one === month)?.[1];
  }

  /** The clock was ahead, in `from`: what ended since `toMs` goes on. */
  rebase(from: UtcMonth, toMs: Millis): void {
    const month = utcMonthOf(toMs);
    const ended = month === from ? this.#ended : (this.finished(month) ?? []);
    this.#ended = ended.slice(0, dayOf(toMs));
    this.#finished = this.#finished.filter(([one]) => one < month);
  }

  snapshot(): MonthDaysSnapshot {
    const kept = { ended: [...this.#ended], finished: this.#finished };
    return this.#isUnknown ? { ...kept, isUnknown: true } : kept;
  }

  /** Without a snapshot the month may have begun. */
  static restore(from: MonthDaysSnapshot | undefined): MonthDays {
    const days = new MonthDays();
    days.#isUnknown = from === undefined || from.isUnknown === true;
    if (from === undefined) return days;
    days.#ended = [...from.ended];
    days.#finished = from.finished;
    return days;
  }

  #endUntil(day: number, people: number): void {
    while (this.#ended.length < day) this.#ended.push(this.#isUnknown ? null : people);
    this.#isUnknown = false;
  }
}

/** From 0. */
function dayOf(atMs: Millis): number {
  return Math.floor((atMs - utcMonthStart(utcMonthOf(atMs))) / dayMs);
}

function daysIn(month: UtcMonth): number {
  return Math.round((utcMonthStart(month + 1) - utcMonthStart(month)) / dayMs);
}
