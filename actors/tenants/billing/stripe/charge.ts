// One charge at Stripe, however often it is asked for. Asks first whether the invoice has been paid
// or tried: by its customer's payments, which Stripe lists at once, and by the invoice's id, which
// finds payments that a restored backup does not know. Only then pays, under a key of the invoice
// and the attempt, so that two calls at the same time are one charge.

import type { Stripe } from 'stripe';
import { dayMs } from '../../../../engine/base/brand.ts';
import { resultOfError } from './failures.ts';
import type { ChargeOrder, ChargeResult } from './port.ts';

/** A customer has at most a few payments per invoice. */
const paymentsMax = 1_000;

export async function chargeInvoice(stripe: Stripe, order: ChargeOrder): Promise<ChargeResult> {
  try {
    const known = await knownResult(stripe, order);
    return known ?? (await pay(stripe, order));
  } catch (error) {
    return resultOfError(error);
  }
}

/** `undefined`: nothing was tried under this attempt, and the invoice is not paid. */
async function knownResult(stripe: Stripe, order: ChargeOrder): Promise<ChargeResult | undefined> {
  const since = Math.floor((order.issuedMs - dayMs) / 1_000);
  const ofCustomer = await stripe.paymentIntents
    .list({ customer: order.customer, created: { gte: since }, limit: 100 })
    .autoPagingToArray({ limit: paymentsMax });
  const query = `metadata['engage_invoice']:'${order.invoiceId}'`;
  const found = await stripe.paymentIntents.search({ query, limit: 100 });
  const ofInvoice = [...ofCustomer, ...found.data].filter(
    // An invoice's id follows from org and month, in few enough bits that two orgs may share one.
    ({ metadata }) =>
      metadata['engage_invoice'] === order.invoiceId && metadata['engage_org'] === order.orgId,
  );
  if (ofInvoice.some(({ status }) => status === 'succeeded')) return { outcome: 'paid' };
  if (ofInvoice.some(({ status }) => status === 'processing'))
    return { outcome: 'unresolved', reason: 'processing' };
  const same = ofInvoice.find(
    ({ metadata, customer, payment_method: method }) =>
      metadata['engage_attempt'] === String(order.attempt) &&
      idOf(customer) === order.customer &&
      (method === null || idOf(method) === order.methodId),
  );
  return same === undefined ? undefined : resultOf(same);
}

async function pay(stripe: Stripe, order: ChargeOrder): Promise<ChargeResult> {
  const { invoiceId, attempt, amountCents, customer, methodId, number, orgId } = order;
  const intent = await stripe.paymentIntents.create(
    {
      amount: amountCents,
      currency: 'usd',
      customer,
      payment_method: methodId,
      allowed_payment_method_types: ['card'],
      off_session: true,
      confirm: true,
      error_on_requires_action: true,
      description: `Invoice ${number}`,
      metadata: {
        engage_org: orgId,
        engage_invoice: invoiceId,
        engage_attempt: String(attempt),
      },
    },
    { idempotencyKey: `${invoiceId}-${attempt}` },
  );
  return resultOf(intent);
}

/** Also of a payment in an event. */
export function resultOf(
  intent: Pick<Stripe.PaymentIntent, 'status' | 'last_payment_error'>,
): ChargeResult {
  const { status, last_payment_error: error } = intent;
  switch (status) {
    case 'succeeded':
      return { outcome: 'paid' };
    case 'processing':
    case 'requires_capture':
      return { outcome: 'unresolved', reason: status };
    default:
      return { outcome: 'failed', reason: error?.decline_code ?? error?.code ?? status };
  }
}

export function idOf(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
