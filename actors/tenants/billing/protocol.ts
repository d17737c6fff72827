// Messages and entries of billing. No message carries card data: what comes from the payment
// provider has been read and verified at the edge or by a dispatcher.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { InvoiceLine, InvoiceRow } from '../../../storage/tables/invoice.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { Carry } from './records.ts';
import type { BillingEvent, ChargeResult, PaymentMethod } from './stripe/port.ts';

export type { InvoiceLine, InvoiceRow };

/** What a month's invoice would be now. */
interface InvoicePreview {
  readonly month: UtcMonth;
  readonly prices: string;
  readonly lines: readonly InvoiceLine[];
  readonly totalCents: number;
}

/** Who a hosted checkout is for. */
interface CheckoutParty {
  readonly orgId: string;
  readonly name: string;
  readonly customer: string | null;
}

export interface BillingProtocol {
  /** `month`: default the current one. */
  'billing.preview': { body: Caller & { month?: UtcMonth }; reply: InvoicePreview };
  /** Invoices, newest first. */
  'billing.read': {
    body: Caller & { limit: number; cursor?: string };
    reply: {
      method: PaymentMethod | null;
      /** Nothing is closed or charged until somebody confirms it. */
      isClockInDoubt: boolean;
      invoices: readonly InvoiceRow[];
      nextCursor: string | null;
    };
  };
  'invoice.read': { body: Caller & { id: string }; reply: InvoiceRow & { orgName: string } };
  /** Who the checkout is for; refuses a client workspace, and everyone without a provider. */
  'billing.ask_checkout': { body: Caller; reply: CheckoutParty };
  /** Keeps the provider's customer; answers with the one that was kept first. */
  'billing.keep_customer': { body: Caller & { customer: string }; reply: { customer: string } };
  'billing.start_checkout': { body: Caller & { session: string }; reply: null };
  /** To a bare slot: which org of the partition has this customer. */
  'billing.find_customer': { body: Caller & { customer: string }; reply: Ordinal | null };
  'billing.event': {
    body: Caller & { eventId: string; customer: string; event: BillingEvent };
    reply: 'taken' | 'repeated' | 'ignored';
  };
}

/** Messages from inside the system. */
export interface BillingInside {
  /** Begins billing, closes a month, or starts charges that are due. */
  'billing.due': { body: Caller; reply: null };
  /** After a start: asks what became of charges that were in flight. */
  'billing.resume': { body: Caller; reply: null };
  /** From a dispatcher. */
  'billing.charged': {
    body: Caller & { invoiceId: string; attempt: number; result: ChargeResult };
    reply: null;
  };
  /** To a client workspace: whether its agency has a payment method. */
  'billing.parent_pays': { body: Caller & { pays: boolean }; reply: null };
}

export type BillingEntry =
  | (Entry & { readonly kind: 'billing.began'; readonly month: UtcMonth })
  | (Entry & {
      readonly kind: 'invoice.closed';
      readonly invoice: InvoiceRow;
      /** What it leaves to the next one; absent for nothing. */
      readonly carry?: Carry;
    })
  | (Entry & { readonly kind: 'billing.customer_kept'; readonly customer: string })
  /** For the audit log. */
  | (Entry & { readonly kind: 'billing.checkout_started'; readonly session: string })
  | (Entry & {
      readonly kind: 'billing.method_connected';
      readonly customer: string;
      readonly method: PaymentMethod;
      readonly atMs: Millis;
    })
  | (Entry & { readonly kind: 'billing.method_detached'; readonly methodId: string })
  | (Entry & { readonly kind: 'billing.event_taken'; readonly eventId: string })
  | (Entry & { readonly kind: 'billing.parent_changed'; readonly pays: boolean })
  | (Entry & {
      readonly kind: 'charge.started';
      readonly invoiceId: string;
      readonly attempt: number;
      readonly customer: string;
      readonly methodId: string;
      readonly atMs: Millis;
      readonly askMs: Millis;
    })
  /** No result yet: the provider is asked again. */
  | (Entry & {
      readonly kind: 'charge.unresolved';
      readonly invoiceId: string;
      readonly attempt: number;
      readonly reason: string;
      readonly askMs: Millis;
    })
  | (Entry & {
      readonly kind: 'charge.failed';
      readonly invoiceId: string;
      readonly attempt: number;
      readonly reason: string;
      /** `null`: it was the last of its series. */
      readonly nextTryMs: Millis | null;
    })
  | (Entry & {
      readonly kind: 'invoice.paid';
      readonly invoiceId: string;
      readonly number: string;
      readonly totalCents: number;
    });
