// Calendar months of UTC, as one number each, so that the previous month is one less. All monthly
// counts use them: a person's own zone never decides the month.

import { dayMs, type Millis } from '../base/brand.ts';
import { civil, daysFromCivil } from './civil-time.ts';

/** Year × 12 + month, months from 0: 24312 is January 2026. */
export type UtcMonth = number;

/** How a month is written. */
export const utcMonthPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The month that an instant falls in. */
export function utcMonthOf(ms: Millis): UtcMonth {
  const { year, month } = civil(ms, 0);
  return year * 12 + month - 1;
}

/** A month's first instant; that of the next one is where it ends. */
export function utcMonthStart(month: UtcMonth): Millis {
  const year = Math.floor(month / 12);
  return daysFromCivil(year, month - year * 12 + 1, 1) * dayMs;
}

/** A month as `2026-09`. Of years 0 to 9999. */
export function utcMonthText(month: UtcMonth): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, '0')}-${String(month - year * 12 + 1).padStart(2, '0')}`;
}

/** The month that a text as `2026-09` names; `undefined` for any other text. */
export function parseUtcMonth(text: string): UtcMonth | undefined {
  const parts = utcMonthPattern.exec(text);
  return parts === null ? undefined : Number(parts[1]) * 12 + Number(parts[2]) - 1;
}
