// UTC months as numbers, for all monthly counts: a person's zone never decides the month.

import { dayMs, type Millis } from '../base/brand.ts';
import { civil, daysFromCivil } from './civil-time.ts';

/** Year × 12 + month, months from 0: 24312 is January 2026. */
export type UtcMonth = number;

export const utcMonthPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

export function utcMonthOf(ms: Millis): UtcMonth {
  const { year, month } = civil(ms, 0);
  return year * 12 + month - 1;
}

/** Its first instant; it ends at the next month's. */
export function utcMonthStart(month: UtcMonth): Millis {
  const year = Math.floor(month / 12);
  return daysFromCivil(year, month - year * 12 + 1, 1) * dayMs;
}

/** `2026-09`, for years 0 to 9999. */
export function utcMonthText(month: UtcMonth): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, '0')}-${String(month - year * 12 + 1).padStart(2, '0')}`;
}

/** From `2026-09`; `undefined` for other text. */
export function parseUtcMonth(text: string): UtcMonth | undefined {
  const parts = utcMonthPattern.exec(text);
  return parts === null ? undefined : Number(parts[1]) * 12 + Number(parts[2]) - 1;
}
