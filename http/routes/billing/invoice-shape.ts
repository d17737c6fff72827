// The wire shape of invoices and previews.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { InvoiceLine, InvoiceRow } from '../../../actors/tenants/billing/protocol.ts';
import { parseUtcMonth, utcMonthPattern, utcMonthText } from '../../../engine/time/utc-month.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';

export const currency = 'USD';

const cents = z.int().describe('US cents.');

const lineSchema = z.object({
  code: z
    .enum(['carried_in', 'mau_free', 'mau', 'mau_volume', 'emails', 'carried_out'])
    .describe('What the line is about, for programs.'),
  description: z.string(),
  quantity: z.int().min(0),
  amountCents: cents.describe(
    'US cents, rounded half up. Negative for a total that is carried to the next invoice.',
  ),
});

const attemptSchema = z.object({
  attempt: z.int().min(1),
  at: instantSchema,
  outcome: z.enum(['pending', 'succeeded', 'failed']),
  reason: z
    .string()
    .optional()
    .describe("The payment provider's code of a failure, such as `card_declined`."),
});

const exampleLines = [
  {
    code: 'mau_free' as const,
    description: 'Monthly active users, included',
    quantity: 10_000,
    amountCents: 0,
  },
  {
    code: 'mau' as const,
    description: 'Monthly active users above 10,000, 5 USD per 1,000',
    quantity: 2_480,
    amountCents: 1_240,
  },
  {
    code: 'emails' as const,
    description: 'Delivered emails beyond the allowance, 1 USD per 1,000',
    quantity: 312,
    amountCents: 31,
  },
];

export const previewSchema = z
  .object({
    month: z.string().describe('A UTC calendar month.'),
    prices: z.string().describe('The price table that the lines were computed with.'),
    lines: z.array(lineSchema),
    totalCents: cents,
    currency: z.literal(currency),
  })
  .meta({
    id: 'InvoicePreview',
    examples: [
      { month: '2026-09', prices: '2026-01', lines: exampleLines, totalCents: 1_271, currency },
    ],
  });

export const invoiceSchema = z
  .object({
    id: z.string(),
    number: z.string().describe('The number shown to people; it increases within an org.'),
    month: z.string().describe('The UTC calendar month that it bills.'),
    prices: z.string().describe('The price table that the lines were computed with.'),
    lines: z.array(lineSchema),
    totalCents: cents,
    currency: z.literal(currency),
    status: z
      .enum(['open', 'paid', 'failed', 'void'])
      .describe(
        '`open`: not paid yet; charged automatically once a payment method is connected. `failed`: every attempt was declined; connect another payment method. Until it is paid, email stops at the allowance.',
      ),
    issuedAt: instantSchema,
    paidAt: instantSchema.nullable(),
    attempts: z
      .array(attemptSchema)
      .describe('Attempts to charge the payment method, oldest first.'),
  })
  .meta({
    id: 'Invoice',
    examples: [
      {
        id: exampleIds.invoice,
        number: 'K3F9QZ7A-0012',
        month: '2026-09',
        prices: '2026-01',
        lines: exampleLines,
        totalCents: 1_271,
        currency,
        status: 'paid',
        issuedAt: '2026-10-01T00:10:00.412Z',
        paidAt: '2026-10-01T00:10:03.006Z',
        attempts: [{ attempt: 1, at: '2026-10-01T00:10:01.020Z', outcome: 'succeeded' }],
      },
    ],
  });

export const methodSchema = z
  .object({
    brand: z.string(),
    last4: z.string(),
    expires: z.string().describe('Year and month: `2028-04`.'),
  })
  .describe('What is known of the card; its number never reaches this service.');

export function lineView({ code, description, quantity, amountCents }: InvoiceLine) {
  return { code, description, quantity, amountCents };
}

export function invoiceView(row: InvoiceRow): z.output<typeof invoiceSchema> {
  const { id, number, month, prices, lines, totalCents, status, issuedMs, paidMs } = row;
  return {
    id,
    number,
    month: utcMonthText(month),
    prices,
    lines: lines.map(lineView),
    totalCents,
    currency,
    status,
    issuedAt: instant(issuedMs),
    paidAt: paidMs === undefined ? null : instant(paidMs),
    attempts: row.attempts.map(({ attempt, atMs, outcome, reason }) => ({
      attempt,
      at: instant(atMs),
      outcome,
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}

/** `2028-04`. */
export function expiryText({ expYear, expMonth }: { expYear: number; expMonth: number }): string {
  return utcMonthText(expYear * 12 + expMonth - 1);
}

/** A month that usage is kept of. */
export const monthQuery = z
  .string()
  .regex(utcMonthPattern, 'expected a month, such as 2026-09')
  .transform(parseUtcMonth)
  .optional()
  .describe(
    `A UTC month, default the current one. The ${limits.usageMonthsKept} months before it are kept.`,
  );
