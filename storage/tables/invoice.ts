// An org's invoices, owned by the org. Lines and total never change; rows are never removed.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface InvoiceRow {
  readonly id: string;
  /** For people: unique, and rising within an org. */
  readonly number: string;
  /** A UTC month as `engine/time/utc-month.ts` numbers it. */
  readonly month: number;
  /** The name of the price table. */
  readonly prices: string;
  readonly lines: readonly InvoiceLine[];
  readonly totalCents: number;
  readonly status: 'open' | 'paid' | 'failed' | 'void';
  readonly issuedMs: Millis;
  readonly paidMs?: Millis;
  /** Oldest first; the newest ones. */
  readonly attempts: readonly InvoiceAttempt[];
}

export interface InvoiceLine {
  readonly code: InvoiceLineCode;
  readonly description: string;
  readonly quantity: number;
  /** Negative for what the next invoice collects. */
  readonly amountCents: number;
}

type InvoiceLineCode = 'carried_in' | 'mau_free' | 'mau' | 'mau_volume' | 'emails' | 'carried_out';

/** One try to charge the payment method. */
export interface InvoiceAttempt {
  readonly attempt: number;
  readonly atMs: Millis;
  readonly outcome: 'pending' | 'succeeded' | 'failed';
  /** The payment provider's code; absent unless it failed. */
  readonly reason?: string;
}

/** Key: [invoice id, `inv_…`], which sorts by month. */
export const invoices = defineTable<InvoiceRow>()({
  id: 31,
  name: 'invoices',
  version: 1,
  fields: [
    'id',
    'number',
    'month',
    'prices',
    'lines',
    'totalCents',
    'status',
    'issuedMs',
    'paidMs',
    'attempts',
  ],
});
