// Reads what a month's invoice would be now. The invoice at the month's close is the same function.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { BillingProtocol } from '../../../actors/tenants/billing/protocol.ts';
import { parseUtcMonth, utcMonthPattern, utcMonthText } from '../../../engine/time/utc-month.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import { currency, lineView, previewSchema } from './invoice-shape.ts';

const monthQuery = z
  .string()
  .regex(utcMonthPattern, 'expected a month, such as 2026-09')
  .transform(parseUtcMonth)
  .optional()
  .describe(
    `A UTC month, default the current one. The ${limits.usageMonthsKept} months before it are kept.`,
  );

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
