// The page of an invoice: what is on it, that names stay text, and that the money is right.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { invoicePage, invoicePageHeaders } from '../../../http/routes/billing/invoice-page.ts';
import { invoiceView } from '../../../http/routes/billing/invoice-shape.ts';

const hostile = `<script>alert(1)</script>"><img src=x onerror='alert(2)'>&amp;`;
const issuedMs = Date.UTC(2026, 1, 1, 0, 10);

/** With lines of these amounts. */
function pageOf(amounts: readonly number[], name = 'Acme', description = 'People'): string {
  const lines = amounts.map((amountCents) => ({
    code: 'mau' as const,
    description,
    quantity: 12_345,
    amountCents,
  }));
  const totalCents = amounts.reduce((sum, cents) => sum + cents, 0);
  const invoice = invoiceView({
    id: 'inv_1',
    number: 'K3F9QZ7A-0012',
    month: 2026 * 12,
    prices: '2026-01',
    lines,
    totalCents,
    status: 'open',
    issuedMs,
    attempts: [],
  });
  return invoicePage(invoice, name);
}

const shownAmounts = (page: string) =>
  [...page.matchAll(/<td class="n">(−?)\$([\d,]+)\.(\d\d)<\/td>/g)].map(
    ([, minus, whole = '', rest = '']) =>
      Number(whole.replaceAll(',', '') + rest) * (minus === '' ? 1 : -1),
  );

t.test('an invoice is a whole page under a policy that allows its style alone', async (t) => {
  const page = pageOf([1_240]);
  for (const text of ['K3F9QZ7A-0012', '2026-01', '2026-02-01', 'Open', 'Acme', '12,345', '$12.40'])
    t.ok(page.includes(text), text);
  t.notMatch(page, /Paid|<script|src=|href=|undefined|NaN/);
  const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = new Map(invoicePageHeaders).get('content-security-policy') ?? '';
  t.ok(policy.startsWith("default-src 'none'"));
  t.ok(policy.includes(`style-src 'sha256-${hash}'`));
});

t.test('names stay text', async (t) => {
  const page = pageOf([50], hostile, hostile);
  const tags = (text: string) => [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  t.same(tags(page), tags(pageOf([50])));
  const shown = hostile
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  t.equal(page.split(shown).length - 1, 2, 'the name and the description');
});

t.test('whatever the amounts, the page shows them and their sum to the cent', async (t) => {
  const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 8 }), (amounts) => {
      const sum = amounts.reduce((total, one) => total + one, 0);
      t.same(shownAmounts(pageOf(amounts)), [...amounts, sum]);
    }),
  );
  t.match(pageOf([-30]), '−$0.30');
  t.match(pageOf([123_456_789]), '$1,234,567.89');
});
