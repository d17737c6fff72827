// Reads one invoice: as JSON, or as a page to print for a browser that asks for HTML.

import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import { key, route } from '../../call/route.ts';
import { wantsPage } from '../../call/wants-page.ts';
import { requireOrgKey } from '../org-key.ts';
import { invoicePage, invoicePageHeaders } from './invoice-page.ts';
import { invoiceSchema, invoiceView } from './invoice-shape.ts';

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
