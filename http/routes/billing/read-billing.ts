// Reads an org's payment method and its invoices.

import { z } from 'zod';
import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import { present } from '../../call/answer/present.ts';
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
