// What an error of Stripe's client means for a charge: declined, or nothing known.

import { Stripe } from 'stripe';
import type { ChargeResult } from './port.ts';

/** The request is at fault, or what it names is gone: repeating it changes nothing. */
const refusedForGood: ReadonlySet<string> = new Set([
  'amount_too_large',
  'amount_too_small',
  'resource_missing',
  'payment_method_unactivated',
  'payment_method_not_available',
  'payment_intent_authentication_failure',
  'payment_intent_payment_attempt_failed',
]);

export function resultOfError(error: unknown): Exclude<ChargeResult, { outcome: 'paid' }> {
  const reason = stripeReason(error);
  if (error instanceof Stripe.errors.StripeCardError) return { outcome: 'failed', reason };
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    // A key in use: the first call with it has not ended.
    const isDecided = error.statusCode !== 409 && isForGood(error);
    return { outcome: isDecided ? 'failed' : 'unresolved', reason };
  }
  return { outcome: 'unresolved', reason };
}

/** A code for records and logs; Stripe's messages may quote parts of a key. */
export function stripeReason(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return 'internal';
  const { code, decline_code: declined, type } = error;
  const text = declined ?? code ?? (type === 'StripeConnectionError' ? 'unreachable' : type);
  return /^[A-Za-z_]{1,64}$/.test(text) ? text : 'unknown';
}

function isForGood({ code, param }: { readonly code?: string; readonly param?: string }) {
  if (param === 'payment_method' || param === 'customer') return true;
  return code !== undefined && refusedForGood.has(code);
}
