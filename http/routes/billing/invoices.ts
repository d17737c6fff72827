// The invoices of an org: one, and what the invoice of a month would be now.

import { z } from 'zod';
import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import { utcMonthText } from '../../../engine/time/utc-month.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { wantsPage } from '../../call/wants-page.ts';
import { requireOrgKey } from '../org-key.ts';
import { invoicePage, invoicePageHeaders } from './invoice-page.ts';
import {
  currency,
  invoiceSchema,
  invoiceView,
  lineView,
  monthQuery,
  previewSchema,
} from './invoice-shape.ts';

/** Reads one invoice: as JSON, or as a page to print for a browser that asks for HTML. */
export const readInvoice = route({
  method: 'GET',
  path: '/v1/org/invoices/:id',
  summary: 'Read an invoice',
  description:
    'An invoice as JSON. With `accept: text/html`, a page that can be printed. Lines and total never change; `status`, `paidAt` and `attempts` do. Needs an org-scoped key.',
  tag: 'Billing',
  access: key('read'),
  reads: ['billing'],
  params: { id: 'Invoice id.' },
  requestHeaders: { accept: '`text/html` for a page to print.' },
  responses: {
    200: { description: 'The invoice.', schema: invoiceSchema, contentType: 'text/html' },
  },
  async handle(call) {
    requireOrgKey(call, 'billing of the org is', 'read');
    const { orgName, ...row } = await call
      .to<BillingProtocol>(call.org)
      .ask('invoice.read', { id: call.param('id') });
    const invoice = invoiceView(row);
    if (!wantsPage(call.header('accept'))) return { status: 200, body: invoice };
    return { status: 200, html: invoicePage(invoice, orgName), headers: invoicePageHeaders };
  },
});

/**
 * Reads what a month's invoice would be now. The invoice at the month's close is the same
 * function.
 */
export const readInvoicePreview = route({
  method: 'GET',
  path: '/v1/org/invoice-preview',
  summary: "Preview a month's invoice",
  description:
    "Computed from the meter now, with the usage of client workspaces; the invoice at the month's end is computed the same way. Up to 10,000 monthly active users are free, then 5 USD per 1,000, and 2.50 USD per 1,000 above 250,000. Delivered emails beyond a workspace's allowance are 1 USD per 1,000. A total under 50 cents is carried to the next invoice. A client workspace gets a 409: its usage is billed to its agency. Needs an org-scoped key.",
  tag: 'Billing',
  access: key('read'),
  reads: ['billing', 'usage'],
  query: z.object({ month: monthQuery }),
  responses: { 200: { description: 'The preview.', schema: previewSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'billing of the org is', 'read');
    const { month, prices, lines, totalCents } = await call
      .to<BillingProtocol>(call.org)
      .ask('billing.preview', present({ month: call.query.month }));
    const body = {
      month: utcMonthText(month),
      prices,
      lines: lines.map(lineView),
      totalCents,
      currency,
    };
    return { status: 200, body };
  },
});
