// The billing of an org: its state, and the checkout.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import type { StripeAnswers, StripeQuestion } from '../../../actors/tenants/billing/stripe/port.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import type { StripeAccess } from '../../call/call-edge.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf, pageQuery, pageSchema } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { expiryText, invoiceSchema, invoiceView, methodSchema } from './invoice-shape.ts';

const billingSchema = pageSchema(invoiceSchema)
  .extend({
    paymentMethod: methodSchema
      .nullable()
      .describe(
        '`null`: none is connected, and email stops at the allowance. It also stops while an invoice that has failed is not paid.',
      ),
    waitingFor: z
      .enum(['clock'])
      .nullable()
      .describe(
        "`clock`: no month is closed and nothing is charged, because the server's clock is not confirmed after a start. Billing continues as soon as the clock is confirmed.",
      ),
  })
  .meta({
    id: 'OrgBilling',
    examples: [
      {
        paymentMethod: { brand: 'visa', last4: '4242', expires: '2028-04' },
        waitingFor: null,
        items: [exampleOf(invoiceSchema)],
        nextCursor: null,
      },
    ],
  });

export const readBilling = route({
  method: 'GET',
  path: '/v1/org/billing',
  summary: 'Read billing',
  description:
    'The connected payment method and the invoices, newest first. A client workspace gets a 409: its usage is billed to its agency. Needs an org-scoped key.',
  tag: 'Billing',
  access: key('read'),
  reads: ['billing'],
  query: z.object(pageQuery),
  responses: { 200: { description: 'Payment method and invoices.', schema: billingSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'billing of the org is', 'read');
    const { method, isClockInDoubt, invoices, nextCursor } = await call
      .to<BillingProtocol>(call.org)
      .ask('billing.read', present(call.query));
    const paymentMethod =
      method === null
        ? null
        : { brand: method.brand, last4: method.last4, expires: expiryText(method) };
    const waitingFor = isClockInDoubt ? ('clock' as const) : null;
    const items = invoices.map(invoiceView);
    return { status: 200, body: { paymentMethod, waitingFor, items, nextCursor } };
  },
});

const checkoutSchema = z
  .object({
    url: z.string().describe("The payment provider's page. Open it in a browser."),
    id: z.string().describe("The payment provider's id of the checkout."),
  })
  .meta({
    id: 'Checkout',
    examples: [
      {
        url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2c3D4',
        id: 'cs_live_a1B2c3D4',
      },
    ],
  });

/**
 * Starts a hosted checkout, which connects a payment method. The provider's customer is kept
 * before the checkout exists, so that an event about it always finds its org.
 */
export const startCheckout = route({
  method: 'POST',
  path: '/v1/org/billing/checkout',
  summary: 'Start a checkout',
  description:
    "Opens a page of the payment provider on which someone enters a card; the card's data never reaches this service. Nothing is charged there: the method pays open invoices and all later ones. Once it is connected, email is no longer paused at the allowance: immediately for the org and its first 100 client workspaces, and at about 100 per second for the others. After an invoice has failed, email stays paused until that invoice is paid; a new method is charged for it at once. Afterwards the browser goes to the dashboard's billing page. The request has no body. A client workspace gets a 409. Needs an org-scoped key.",
  tag: 'Billing',
  access: key('admin'),
  changes: ['billing'],
  responses: { 200: { description: 'The page to open.', schema: checkoutSchema } },
  refusals: [409, 503],
  async handle(call) {
    requireOrgKey(call, 'billing of the org is');
    const billing = call.to<BillingProtocol>(call.org);
    const { orgId, name, customer: known } = await billing.ask('billing.ask_checkout', {});
    const customer = known ?? (await newCustomer());
    const { id, url } = await asked(call.edge.stripe, {
      kind: 'stripe.checkout',
      orgId,
      customer,
      returnUrl: `${call.edge.config.publicUrl}/dashboard/org/billing`,
    });
    await billing.ask('billing.start_checkout', { session: id });
    return { status: 200, body: { url, id } };

    async function newCustomer(): Promise<string> {
      const made = await asked(call.edge.stripe, { kind: 'stripe.customer', orgId, name });
      return (await billing.ask('billing.keep_customer', made)).customer;
    }
  },
});

async function asked<Kind extends StripeQuestion['kind']>(
  stripe: StripeAccess | undefined,
  question: Extract<StripeQuestion, { readonly kind: Kind }>,
): Promise<StripeAnswers[Kind]> {
  const answer = await stripe?.ask<Kind>(question);
  if (answer?.ok === true) return answer.value;
  const message = 'the payment provider did not answer; nothing was changed, try again';
  throw new FaultError(fault('payment_provider', message, { retryAfterSeconds: 30 }));
}
