// An invoice as a page to print. Self-contained: no script, nothing loaded, and a policy that
// allows only the page's own style, by its hash. It prints in black on white.

import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { invoiceSchema } from './invoice-shape.ts';

type InvoiceView = z.output<typeof invoiceSchema>;

const style = `
:root{color-scheme:light;--text:#14171f;--soft:#5b6472;--line:#d9dde3}
*{box-sizing:border-box}
body{margin:0;background:#f4f5f7;color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:32px auto;padding:48px;background:#fff;border:1px solid var(--line);border-radius:12px}
header{display:flex;justify-content:space-between;gap:24px;flex-wrap:wrap;margin-bottom:32px}
h1{margin:0;font-size:1.5rem;letter-spacing:-.01em}
dl{margin:0;display:grid;grid-template-columns:auto auto;gap:2px 16px}
dt{color:var(--soft)}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
p{margin:4px 0 0;color:var(--soft)}
table{width:100%;border-collapse:collapse}
th,td{padding:10px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:500}
td.n,th.n{text-align:right;white-space:nowrap;padding-left:24px;font-variant-numeric:tabular-nums}
tfoot td{border-bottom:0;font-weight:650;font-size:1.0625rem}
@media (max-width:40rem){main{margin:0;padding:24px;border:0;border-radius:0}}
@media print{body{background:#fff}main{margin:0;padding:0;border:0;max-width:none}tr{break-inside:avoid}@page{margin:20mm}}
`;

export const invoicePageHeaders: readonly (readonly [string, string])[] = [
  [
    'content-security-policy',
    [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  ],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-robots-tag', 'noindex, nofollow'],
  ['cache-control', 'no-store'],
];

const statuses: Readonly<Record<InvoiceView['status'], string>> = {
  open: 'Open',
  paid: 'Paid',
  failed: 'Payment failed',
  void: 'Void',
};

/** Escapes the org's name, which comes from outside. */
export function invoicePage(invoice: InvoiceView, orgName: string): string {
  const { number, month, lines, totalCents, status, issuedAt, paidAt, prices } = invoice;
  const facts: readonly (readonly [string, string])[] = [
    ['Invoice', number],
    ['Month', month],
    ['Issued', issuedAt.slice(0, 10)],
    ['Status', statuses[status]],
    ...(paidAt === null ? [] : [['Paid', paidAt.slice(0, 10)] as const]),
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Invoice ${escaped(number)}</title>
<style>${style}</style>
<main>
<header>
<div><h1>Invoice</h1><p>${escaped(orgName)}</p></div>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
</header>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="n">Quantity</th><th scope="col" class="n">Amount</th></tr></thead>
<tbody>
${lines.map(rowOf).join('\n')}
</tbody>
<tfoot><tr><td>Total</td><td></td><td class="n">${money(totalCents)}</td></tr></tfoot>
</table>
<p>Price table ${escaped(prices)}. Amounts in US dollars.</p>
</main>
</html>
`;
}

function rowOf({ description, quantity, amountCents }: InvoiceView['lines'][number]): string {
  const count = quantity.toLocaleString('en');
  return `<tr><td>${escaped(description)}</td><td class="n">${count}</td><td class="n">${money(amountCents)}</td></tr>`;
}

/** `$1,234.50`; exact, since cents are integers. */
function money(cents: number): string {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en');
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '−' : ''}$${whole}.${rest}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
