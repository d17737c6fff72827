// Stands in for the calendar of recurring campaigns until that is merged: the same signatures, nominal lengths, and the rules
// that need no calendar.

import { dayMs, hourMs, type Millis } from '../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import type { Recurring } from './records.ts';

const nominalMs = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs } as const;

/** The least time between two neighbouring occurrences. */
export function shortestPeriodMs({ every, interval = 1, weekdays = [] }: Recurring): Millis {
  if (every !== 'week' || weekdays.length < 2) return nominalMs[every] * interval;
  const gapsDays = weekdays.slice(1).map((day, i) => day - (weekdays[i] ?? 0));
  const roundDays = (weekdays[0] ?? 0) + 7 * interval - (weekdays.at(-1) ?? 0);
  return Math.min(...gapsDays, roundDays) * dayMs;
}

/** What makes no sense together in a schedule; `undefined` when all does. */
export function recurringFault(schedule: Recurring, field = 'schedule'): Fault | undefined {
  const { every, weekdays, dayOfMonth, startMs, endMs } = schedule;
  if (weekdays !== undefined && every !== 'week')
    return fieldFault(`${field}.weekdays`, 'goes with every week only');
  if (dayOfMonth !== undefined && every !== 'month')
    return fieldFault(`${field}.dayOfMonth`, 'goes with every month only');
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs)
    return fieldFault(`${field}.endAt`, 'must be after startAt');
  return undefined;
}
