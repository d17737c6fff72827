// What shards and the front ask a dispatcher of Stripe, and what it answers. Plain data.

import type { Millis, Ordinal } from '../../../../engine/base/brand.ts';

/** What is kept of a card; the card itself stays with the payment provider. */
export interface PaymentMethod {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  /** When the card was entered, as the provider says: of two, the newer counts, in any order. */
  readonly setUpMs: Millis;
}

/** The operator's settings; without a key nothing is charged. */
export interface StripeSettings {
  readonly secretKey: string;
  /** Replaces Stripe's own address. */
  readonly url?: string;
}

/** A charge whose start is durable. Equal orders have equal parameters at Stripe. */
export interface ChargeOrder {
  readonly kind: 'stripe.charge';
  readonly partition: number;
  readonly org: Ordinal;
  readonly orgId: string;
  readonly invoiceId: string;
  readonly number: string;
  readonly attempt: number;
  readonly amountCents: number;
  readonly customer: string;
  readonly methodId: string;
  readonly issuedMs: Millis;
}

export type ChargeResult =
  | { readonly outcome: 'paid' }
  /** Declined, and nothing was charged. `reason`: Stripe's code. */
  | { readonly outcome: 'failed'; readonly reason: string }
  /** Nothing is known: Stripe could not be asked, or it has not decided. Ask again. */
  | { readonly outcome: 'unresolved'; readonly reason: string };

/** What the payment provider says happened, by its own name. */
export type BillingEvent =
  | { readonly kind: 'method_set_up'; readonly method: PaymentMethod }
  | { readonly kind: 'method_detached'; readonly methodId: string }
  | {
      readonly kind: 'payment';
      readonly invoiceId: string;
      readonly attempt: number;
      readonly result: Extract<ChargeResult, { outcome: 'paid' | 'failed' }>;
    };

/** From a dispatcher to the org's actor. */
export interface ChargeReport {
  readonly kind: 'billing.charged';
  readonly by: number;
  readonly invoiceId: string;
  readonly attempt: number;
  readonly result: ChargeResult;
}

/** A question of the front. */
export type StripeQuestion =
  | { readonly kind: 'stripe.customer'; readonly orgId: string; readonly name: string }
  | {
      readonly kind: 'stripe.checkout';
      readonly orgId: string;
      readonly customer: string;
      /** The dashboard's billing page. */
      readonly returnUrl: string;
    }
  | { readonly kind: 'stripe.setup'; readonly setupIntent: string };

export interface StripeAnswers {
  'stripe.customer': { readonly customer: string };
  'stripe.checkout': { readonly id: string; readonly url: string };
  /** `null`: the setup has not succeeded, or it is not of a card. */
  'stripe.setup': { readonly customer: string; readonly method: PaymentMethod } | null;
}

/** `reason` contains no secret. */
export type StripeAnswer<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

/** A webhook event, reduced to what billing uses. */
export type StripeEvent =
  /** The signature is wrong, or older than five minutes. */
  | { readonly kind: 'forged' }
  /** Of a type that billing does not use, or of something else in the same account. */
  | { readonly kind: 'ignored' }
  /** What was set up has to be read. */
  | { readonly kind: 'setup'; readonly id: string; readonly setupIntent: string }
  | {
      readonly kind: 'event';
      readonly id: string;
      readonly customer: string;
      readonly event: BillingEvent;
    };
