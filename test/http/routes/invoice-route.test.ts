// The route of an invoice: JSON as in the list, a page for browsers, and what its reference says.

import t from 'tap';
import { describeApi } from '../../../http/describe/outside-routes.ts';
import { routes } from '../../../http/routes/index.ts';
import { fakeFront } from './fake-front.ts';

const row = {
  id: 'inv_00000000000000000000000001',
  number: 'K3F9QZ7A-0012',
  month: 2026 * 12,
  prices: '2026-01',
  lines: [{ code: 'mau', description: 'People', quantity: 2_480, amountCents: 1_240 }],
  totalCents: 1_240,
  status: 'paid',
  issuedMs: Date.UTC(2026, 1, 1, 0, 10),
  paidMs: Date.UTC(2026, 1, 1, 0, 11),
  attempts: [{ attempt: 1, atMs: Date.UTC(2026, 1, 1, 0, 10), outcome: 'succeeded' }],
};
const front = fakeFront(({ kind }) =>
  kind === 'invoice.read'
    ? { ...row, orgName: 'Acme' }
    : { method: null, invoices: [row], nextCursor: null },
);
const line = `GET /v1/org/invoices/${row.id}`;

t.test('an invoice is the item of the list', async (t) => {
  const { json: list } = await front.call('GET /v1/org/billing');
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html']) {
    const headers = accept === undefined ? {} : { accept };
    const { status, json } = await front.call(line, { headers });
    t.equal(status, 200);
    t.same([json], (list as { items: object[] }).items, accept ?? 'no header');
  }
});

t.test('a browser gets a page that loads nothing', async (t) => {
  const accept = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8';
  const { status, text, headers } = await front.call(line, { headers: { accept } });
  t.equal(status, 200);
  t.equal(headers['content-type'], 'text/html; charset=utf-8');
  t.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  t.equal(headers['cache-control'], 'no-store');
  t.match(text, /K3F9QZ7A-0012/);
});

t.test('the reference names both', async (t) => {
  const document = describeApi(routes, 'http://127.0.0.1:8400');
  const { content = {} } = document.paths['/v1/org/invoices/{id}']?.['get']?.responses[200] ?? {};
  t.same(Object.keys(content), ['application/json', 'text/html']);
});
