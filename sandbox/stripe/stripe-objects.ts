// Stripe's objects as its API writes them, in the members that clients read.

import type { Customer, Payment, Session, Setup, StripeMethod } from './stripe-state.ts';

export function customerObject({ id, name, created, metadata }: Customer) {
  return { id, object: 'customer', created, name, metadata, livemode: false };
}

export function methodObject({ id, created, customer, card }: StripeMethod) {
  return {
    id,
    object: 'payment_method',
    created,
    customer,
    type: 'card',
    card: { ...card, funding: 'credit', country: 'US', display_brand: card.brand },
    metadata: {},
    livemode: false,
  };
}

export function setupObject(setup: Setup, method: StripeMethod | undefined, isExpanded: boolean) {
  const { id, created, customer, metadata, status } = setup;
  return {
    id,
    object: 'setup_intent',
    created,
    customer,
    metadata,
    status,
    payment_method: isExpanded && method !== undefined ? methodObject(method) : setup.method,
    payment_method_types: ['card'],
    usage: 'off_session',
    livemode: false,
  };
}

export function sessionObject(session: Session, pageUrl: string) {
  const { id, created, customer, clientReferenceId, metadata, setupIntent, status } = session;
  return {
    id,
    object: 'checkout.session',
    created,
    mode: 'setup',
    currency: 'usd',
    customer,
    client_reference_id: clientReferenceId,
    metadata,
    setup_intent: setupIntent,
    payment_intent: null,
    payment_status: 'no_payment_required',
    status,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: status === 'open' ? pageUrl : null,
    livemode: false,
  };
}

export function paymentObject(payment: Payment) {
  const { id, created, amount, currency, customer, description, metadata, status, error } = payment;
  return {
    id,
    object: 'payment_intent',
    created,
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    currency,
    customer,
    description,
    metadata,
    status,
    // After a decline the payment has no method any more.
    payment_method: status === 'requires_payment_method' ? null : payment.triedMethod,
    payment_method_types: ['card'],
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    last_payment_error: error && {
      type: 'card_error',
      code: error.code,
      ...(error.decline === null ? {} : { decline_code: error.decline }),
      message: error.message,
    },
    livemode: false,
  };
}

export function listOf(url: string, data: readonly object[], hasMore: boolean) {
  return { object: 'list', url, data, has_more: hasMore };
}
