// Events of the payment provider, signed with the operator's secret. Answered once what they change
// is stored: until then the provider repeats them, for days.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import type { StripeEvent } from '../../../actors/tenants/billing/stripe/port.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import type { StripeAccess } from '../../call/call-edge.ts';
import { route } from '../../call/route.ts';
import { callback } from './told.ts';

type Known = Extract<StripeEvent, { kind: 'event' }>;

const resultSchema = z
  .object({
    result: z
      .enum(['taken', 'repeated', 'ignored'])
      .describe('`ignored`: of a type that is not used, or about something of another system.'),
  })
  .meta({ id: 'StripeEventResult', examples: [{ result: 'taken' }] });

export const receiveStripe = route({
  ...callback,
  changes: ['billing'],
  method: 'POST',
  path: '/v1/webhooks/stripe',
  summary: 'Stripe webhook',
  description:
    'Called by Stripe. Signed with the secret of the webhook endpoint over the body, in `stripe-signature`; a signature older than five minutes is rejected. Uses `checkout.session.completed`, `setup_intent.succeeded`, `payment_intent.succeeded`, `payment_intent.payment_failed` and `payment_method.detached`, in any order; repeated events change nothing.',
  rawBody: true,
  requestHeaders: { 'stripe-signature': 'Time and signature.' },
  responses: { 200: { description: 'Accepted and stored.', schema: resultSchema } },
  refusals: [403, 503],
  async handle(call) {
    const { stripe } = call.edge;
    if (stripe === undefined) throw new FaultError(notConfigured);
    const event = await stripe.read(call.bytes, call.header('stripe-signature') ?? '');
    if (event.kind === 'forged') throw new FaultError(forged);
    const known = event.kind === 'setup' ? await readSetup(stripe, event) : event;
    const result = known.kind === 'ignored' ? 'ignored' : await take(call, known);
    return { status: 200, body: { result } };
  },
});

/** The card is not in the event. If it cannot be read now, the event comes again. */
async function readSetup(
  stripe: StripeAccess,
  { id, setupIntent }: Extract<StripeEvent, { kind: 'setup' }>,
): Promise<Known | { readonly kind: 'ignored' }> {
  const answer = await stripe.ask<'stripe.setup'>({ kind: 'stripe.setup', setupIntent });
  if (!answer.ok) throw new FaultError(notRead);
  if (answer.value === null) return { kind: 'ignored' };
  const { customer, method } = answer.value;
  return { kind: 'event', id, customer, event: { kind: 'method_set_up', method } };
}

/** A customer's org may be in any partition. */
async function take(
  call: Call<unknown, unknown>,
  { id: eventId, customer, event }: Known,
): Promise<'taken' | 'repeated' | 'ignored'> {
  for (let slot = 0; slot < call.edge.config.partitions; slot++) {
    const owner = await call.to<BillingProtocol>(slot).ask('billing.find_customer', { customer });
    if (owner !== null)
      return call.to<BillingProtocol>(owner).ask('billing.event', { eventId, customer, event });
  }
  return 'ignored';
}

const forged = fault(
  'invalid_signature',
  'stripe-signature: does not match the body under ENGAGE_STRIPE_WEBHOOK_SECRET, or is too old',
  { field: 'stripe-signature' },
);

const notConfigured = fault(
  'billing_not_configured',
  'billing is not configured on this server: ENGAGE_STRIPE_SECRET_KEY is not set',
);

const notRead = fault(
  'payment_provider',
  'what the checkout set up cannot be read now; nothing was changed, send the event again',
);
