// Folds activity and delivered emails into the meter, in the month of their acceptance.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { MonthlyActive } from './monthly-active.ts';
import type { OrgMeter } from './org-meter.ts';

/** Events as columns; `names` are looked up once per entry. */
interface MeteredRows {
  readonly count: number;
  readonly names: readonly string[];
  nameIndex(row: number): number;
  person(row: number): PersonOrdinal;
}

/** Counts the people of events whose name `counts` accepts. */
export function meterActivity(
  active: MonthlyActive,
  rows: MeteredRows,
  counts: (name: string) => boolean,
  acceptedMs: Millis,
  isCountedBefore: (row: number) => boolean,
): void {
  const counted = rows.names.map((name) => counts(name));
  let month: Bitset | undefined;
  for (let row = 0; row < rows.count; row++) {
    if (!counted[rows.nameIndex(row)] || isCountedBefore(row)) continue;
    month ??= active.peopleIn(acceptedMs);
    month.set(rows.person(row));
  }
}

/** Vouches for people of events that a key sent, and of deliveries. */
export function meterVouching(active: MonthlyActive, rows: MeteredRows, isOfKey: boolean): void {
  if (!active.mayHaveUnvouched) return;
  const reached = rows.names.map(isReached);
  if (!isOfKey && !reached.includes(true)) return;
  for (let row = 0; row < rows.count; row++)
    if (isOfKey || reached[rows.nameIndex(row)]) active.vouch(rows.person(row));
}

/** A provider accepted a message for the person. */
function isReached(name: string): boolean {
  return name === 'delivered' || name === 'sent';
}

/**
 * Counts emails among receipts, against the org's allowance: each once, when it was accepted, so
 * that what a relay reports afterwards never makes a month longer. `emailsOf`: what a receipt
 * stands for, its copies included; none if it was counted before.
 */
export function meterEmails(
  org:
    | { readonly record: { readonly emailAllowance: number | null }; readonly meter: OrgMeter }
    | undefined,
  rows: MeteredRows,
  acceptedMs: Millis,
  emailsOf: (row: number) => number,
): void {
  const reached = rows.names.map(isReached);
  for (let row = 0; row < rows.count; row++) {
    const emails = reached[rows.nameIndex(row)] ? emailsOf(row) : 0;
    if (emails > 0) org?.meter.countEmails(acceptedMs, emails, org.record.emailAllowance);
  }
}
