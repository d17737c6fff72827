// What memory holds of an org's billing: plain values, replaced by folds and never changed.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { PaymentMethod } from './stripe/port.ts';

/** What an invoice left to the next one. */
export interface Carry {
  readonly cents: number;
  /** The number of that invoice. */
  readonly from: string;
}

/** A charge that was started and has no result yet. */
export interface OpenCharge {
  readonly attempt: number;
  readonly customer: string;
  readonly methodId: string;
  readonly startedMs: Millis;
  /** When the provider is asked again what became of it. */
  readonly askMs: Millis;
  /** How often it was asked without a result. */
  readonly asked: number;
}

/** Days from the first try of a series to the others. */
export const triesAfterDays = [1, 3, 5, 7] as const;

/** How long declined charges leave the email cap lifted, however many methods are connected. */
export const patienceMs: Millis = triesAfterDays[3] * dayMs;

export interface UnpaidInvoice {
  readonly id: string;
  readonly number: string;
  readonly totalCents: number;
  readonly issuedMs: Millis;
  /** `failed`: the tries of its series are used up. */
  readonly status: 'open' | 'failed';
  /** Attempts so far; their numbers begin at 1. */
  readonly attempts: number;
  /** Failed attempts since the payment method was connected, and when the first began. */
  readonly failures: number;
  readonly firstTryMs: Millis | null;
  /** The first failed try with an earlier method; absent for none. */
  readonly declinedMs?: Millis;
  /**
   * Tries failed for as long as a series lasts. Until the invoice is paid, no method counts as
   * connected for the email cap: the next one may be the same bad card. Older releases only have
   * the status.
   */
  readonly isOverdue?: true;
  /** `null`: no try is planned. */
  readonly nextTryMs: Millis | null;
  readonly charge: OpenCharge | null;
}

export interface Billing {
  /** The first month that is billed; absent until the first turn that looks. */
  readonly began?: UtcMonth;
  /** The newest month with an invoice. */
  readonly closed?: UtcMonth;
  readonly invoiceCount: number;
  readonly carry?: Carry;
  /** The payment provider's customer. */
  readonly customer?: string;
  /** The one entered last, even if it was removed since: see `methodOf`. */
  readonly newest?: PaymentMethod;
  /** Removed methods, which a late event must not connect again; the newest. */
  readonly detached: readonly string[];
  readonly unpaid: readonly UnpaidInvoice[];
  /** Ids of events that were processed; the newest. */
  readonly events: readonly string[];
  /** Of a client workspace: its agency has a payment method. */
  readonly parentPays?: boolean;
}

export const noBilling: Billing = { invoiceCount: 0, detached: [], unpaid: [], events: [] };

/** The connected payment method: it follows from what happened, reported in whatever order. */
export function methodOf({ newest, detached }: Billing): PaymentMethod | undefined {
  return newest === undefined || detached.includes(newest.id) ? undefined : newest;
}

/** Whether emails beyond the allowance are paid for. */
export function isPaying(billing: Billing): boolean {
  const { unpaid, parentPays } = billing;
  if (parentPays === true) return true;
  return methodOf(billing) !== undefined && !unpaid.some(isInArrears);
}

export function isInArrears({ status, isOverdue }: UnpaidInvoice): boolean {
  return status === 'failed' || isOverdue === true;
}
