// What the front asks of Stripe: a customer, a hosted checkout, what a checkout set up. Of a card
// only brand, last four digits and expiry are read.

import type { Stripe } from 'stripe';
import { hash32 } from '../../../../engine/base/hash.ts';
import { idOf } from './charge.ts';
import { stripeReason } from './failures.ts';
import type { StripeAnswer, StripeAnswers, StripeQuestion } from './port.ts';

export async function answerQuestion(
  stripe: Stripe,
  question: StripeQuestion,
): Promise<StripeAnswer> {
  try {
    return { ok: true, value: await answered(stripe, question) };
  } catch (error) {
    return { ok: false, reason: stripeReason(error) };
  }
}

function answered(stripe: Stripe, question: StripeQuestion): Promise<unknown> {
  switch (question.kind) {
    case 'stripe.customer':
      return makeCustomer(stripe, question);
    case 'stripe.checkout':
      return makeCheckout(stripe, question);
    case 'stripe.setup':
      return readSetup(stripe, question);
  }
}

type Of<Kind extends StripeQuestion['kind']> = Extract<StripeQuestion, { readonly kind: Kind }>;

/** The same customer for repeated and simultaneous calls. */
async function makeCustomer(
  stripe: Stripe,
  { orgId, name }: Of<'stripe.customer'>,
): Promise<StripeAnswers['stripe.customer']> {
  const { id } = await stripe.customers.create(
    { name, metadata: { engage_org: orgId } },
    { idempotencyKey: `${orgId}-customer-${hash32(name)}` },
  );
  return { customer: id };
}

async function makeCheckout(
  stripe: Stripe,
  { orgId, customer, returnUrl }: Of<'stripe.checkout'>,
): Promise<StripeAnswers['stripe.checkout']> {
  const metadata = { engage_org: orgId };
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: 'usd',
    customer,
    allowed_payment_method_types: ['card'],
    client_reference_id: orgId,
    metadata,
    setup_intent_data: { metadata },
    success_url: `${returnUrl}?checkout=done`,
    cancel_url: `${returnUrl}?checkout=canceled`,
  });
  if (url === null) throw new Error('a new checkout has no address');
  return { id, url };
}

async function readSetup(
  stripe: Stripe,
  { setupIntent }: Of<'stripe.setup'>,
): Promise<StripeAnswers['stripe.setup']> {
  const setup = await stripe.setupIntents.retrieve(setupIntent, { expand: ['payment_method'] });
  const customer = idOf(setup.customer);
  const method = setup.payment_method;
  if (setup.status !== 'succeeded' || customer === undefined) return null;
  if (method === null || typeof method === 'string' || method.card === undefined) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
  // The method's own instant: the setup begins when its checkout is opened, which says nothing
  // about when somebody entered the card.
  const setUpMs = method.created * 1_000;
  return { customer, method: { id: method.id, brand, last4, expMonth, expYear, setUpMs } };
}
