// A webhook event of Stripe: verified on the bytes received, and reduced to what billing uses.

import { Stripe } from 'stripe';
import type { Millis } from '../../../../engine/base/brand.ts';
import { idOf, resultOf } from './charge.ts';
import type { StripeEvent } from './port.ts';

const toleranceSeconds = 300;

export async function readStripeEvent(
  bytes: Uint8Array,
  signature: string,
  secret: string,
  nowMs: Millis,
): Promise<StripeEvent> {
  let event: Stripe.Event;
  try {
    event = Stripe.webhooks.constructEvent(
      Buffer.from(bytes),
      signature,
      secret,
      toleranceSeconds,
      undefined,
      nowMs,
    );
  } catch {
    return { kind: 'forged' };
  }
  return reduced(event);
}

function reduced(event: Stripe.Event): StripeEvent {
  const { id } = event;
  switch (event.type) {
    case 'checkout.session.completed': {
      const { mode, setup_intent: setup } = event.data.object;
      const setupIntent = idOf(setup);
      return mode === 'setup' && setupIntent !== undefined
        ? { kind: 'setup', id, setupIntent }
        : { kind: 'ignored' };
    }
    case 'setup_intent.succeeded':
      return { kind: 'setup', id, setupIntent: event.data.object.id };
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
      return paymentOf(id, event.data.object);
    case 'payment_method.detached': {
      // The object has lost its customer; what it had before stands beside it.
      const before = event.data.previous_attributes as { customer?: string | null } | undefined;
      const customer = before?.customer;
      if (typeof customer !== 'string') return { kind: 'ignored' };
      const methodId = event.data.object.id;
      return { kind: 'event', id, customer, event: { kind: 'method_detached', methodId } };
    }
    default:
      return { kind: 'ignored' };
  }
}

function paymentOf(id: string, intent: Stripe.PaymentIntent): StripeEvent {
  const invoiceId = intent.metadata['engage_invoice'];
  const attempt = Number(intent.metadata['engage_attempt']);
  const customer = idOf(intent.customer);
  const result = resultOf(intent);
  if (invoiceId === undefined || customer === undefined || !Number.isInteger(attempt))
    return { kind: 'ignored' };
  if (result.outcome === 'unresolved') return { kind: 'ignored' };
  return { kind: 'event', id, customer, event: { kind: 'payment', invoiceId, attempt, result } };
}
