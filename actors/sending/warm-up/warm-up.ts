// The warm-up of a sender domain: a curve that says how many emails may leave on each UTC day.
// Mailbox providers trust a new sender little by little, and put aside what comes all at once.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import { etagOf } from '../../etag.ts';

/** The number of one day. */
export interface WarmUpDay {
  readonly max: number;
  /** Smaller numbers for some mailbox providers, within `max`. */
  readonly perProvider?: Readonly<Partial<Record<MailboxGroup, number>>>;
}

export interface WarmUpRecord {
  /** In lower case and punycode. */
  readonly domain: string;
  readonly startMs: Millis;
  readonly days: readonly WarmUpDay[];
  /** On this UTC day, and before it, the curve stands at `step`; from then on it goes up daily. */
  readonly sinceDay: number;
  /** An index of `days`. */
  readonly step: number;
  /** It stays at `step`. */
  readonly isHeld?: true;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

export type WarmUpState = 'scheduled' | 'running' | 'held' | 'finished';

export function utcDayOf(atMs: Millis): number {
  return Math.floor(atMs / dayMs);
}

/** The index of a day's number; `undefined` before the first day and after the last. */
export function stepOn(record: WarmUpRecord, day: number): number | undefined {
  const { startMs, days, sinceDay, step, isHeld } = record;
  if (day < utcDayOf(startMs)) return undefined;
  const now = step + (isHeld ? 0 : Math.max(0, day - sinceDay));
  return now < days.length ? now : undefined;
}

/** What limits a day; `undefined`: nothing. */
export function numberOn(record: WarmUpRecord, day: number): WarmUpDay | undefined {
  const step = stepOn(record, day);
  return step === undefined ? undefined : record.days[step];
}

export function warmUpState(record: WarmUpRecord, day: number): WarmUpState {
  if (day < utcDayOf(record.startMs)) return 'scheduled';
  if (stepOn(record, day) === undefined) return 'finished';
  return record.isHeld ? 'held' : 'running';
}

/** The first day without a limit; `undefined` while the curve is held. */
export function endDay({ days, sinceDay, step, isHeld }: WarmUpRecord): number | undefined {
  return isHeld ? undefined : sinceDay + days.length - step;
}

/** Holds the curve at the number of a day, or lets it go up again on the day after. */
export function held(record: WarmUpRecord, isHeld: boolean, day: number): WarmUpRecord {
  const { isHeld: was, ...rest } = record;
  const step = stepOn(record, day);
  if (isHeld === (was === true) || warmUpState(record, day) === 'finished') return record;
  const sinceDay = Math.max(day, utcDayOf(record.startMs));
  const stands = { ...rest, step: step ?? record.step, sinceDay };
  return isHeld ? { ...stands, isHeld } : stands;
}

/** The next day has the same number: something went wrong on this one. */
export function repeated(record: WarmUpRecord, day: number): WarmUpRecord {
  const step = stepOn(record, day);
  if (step === undefined || record.isHeld) return record;
  return { ...record, step, sinceDay: Math.max(record.sinceDay, day + 1) };
}

/**
 * Thirty days from 50 to 100,000. The guides of Amazon SES, SendGrid and Mailgun begin with 50 to
 * 200 and double until some thousands; large providers want smaller steps from there.
 */
export const defaultCurve: readonly WarmUpDay[] = [
  ...[50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000],
  ...[4_000, 5_000, 6_500, 8_000, 10_000, 12_500, 15_000, 17_500, 20_000, 25_000],
  ...[30_000, 35_000, 40_000, 45_000, 50_000, 60_000, 70_000, 80_000, 90_000, 100_000],
].map((max) => ({ max }));

/** What no editor sees: the count of a day, and where the curve stands. */
const leftOut = ['sinceDay', 'step'] as const;

export function warmUpEtag(record: WarmUpRecord): string {
  return etagOf(record, leftOut);
}
