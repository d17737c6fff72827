// What a parent org remembers of its client workspaces, and a client of what it told its parent.

import type { Bytes, Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { KeyMaterial } from '../accounts/protocol.ts';

/** What a client used in a month, as absolute figures. */
export interface ClientMonth {
  readonly mau: number;
  readonly delivered: number;
  /** The email allowance; `null` is unlimited. */
  readonly included: number | null;
}

export type ClientMonths = readonly (readonly [UtcMonth, ClientMonth])[];

/** Later than any month: what a deleted client says of all of them. */
export const everyMonth: UtcMonth = 1_000_000;

/** What a client tells its parent. */
export interface ClientReport {
  /** Its current name: a client may rename itself. */
  readonly name: string;
  /** Months before this one no longer change. */
  readonly through: UtcMonth;
  /** Every month that is kept, oldest first. */
  readonly months: ClientMonths;
  /** What all its apps store, rounded up (`reportedBytes`). Absent in those of older releases. */
  readonly storedBytes?: Bytes;
}

export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly createdMs: Millis;
  /** The first key, so that it can be told again: a hash. Absent if a report made this record. */
  readonly key?: KeyMaterial;
  /** Of the call that created it. */
  readonly idempotency?: { readonly key: string; readonly name: string };
  /** Rises with every change of what the client must know (`workspaceOf`). */
  readonly counter: number;
  /** The newest counter that the client has confirmed. */
  readonly acknowledged: number;
  /** Known once the client exists. */
  readonly ordinal?: Ordinal;
  readonly closedMs?: Millis;
  /** The counter of the newest report; 0 before the first. */
  readonly reports: number;
  /** See `ClientReport`; 0 before the first. */
  readonly through: UtcMonth;
  readonly months: ClientMonths;
  /** As it reported; absent before the first. */
  readonly storedBytes?: Bytes;
}

/** What a client remembers of its reports, and of what its parent told it. */
export interface Reported {
  readonly counter: number;
  /** The newest report; absent if the next one must come in any case. */
  readonly report?: ClientReport;
  readonly isAcknowledged: boolean;
  /** The newest counter of its parent. */
  readonly workspace: number;
  /** The clients of its parent have used up what they may store together. */
  readonly isStorageFull?: true;
}

export const neverReported: Reported = { counter: 0, isAcknowledged: false, workspace: 0 };

export function isSameReport(one: ClientReport, other: ClientReport): boolean {
  if (one.name !== other.name || one.through !== other.through) return false;
  if (one.storedBytes !== other.storedBytes) return false;
  // A month that is no longer kept is no news.
  const known = new Map(one.months);
  return other.months.every(([month, { mau, delivered, included }]) => {
    const row = known.get(month);
    return row?.mau === mau && row.delivered === delivered && row.included === included;
  });
}
