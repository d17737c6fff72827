// Stripe's stand-in: what it keeps over a restart, and its hosted page.

import { createHash } from 'node:crypto';
import t from 'tap';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { client } from '../support/server.ts';

const hostile = `<script>alert(1)</script>"><img src=x onerror='alert(2)'>&amp;`;
const shown = hostile
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll('>', '&gt;')
  .replaceAll('"', '&quot;');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const directory = temporaryDirectory();
const start = () => startSandbox({ port: 0, directory });
let sandbox = await start();
t.teardown(() => sandbox.close());

async function restart(): Promise<void> {
  await sandbox.close();
  sandbox = await start();
}

/** A call as the product's; it must succeed. */
async function call(line: string, fields: Readonly<Record<string, string>> = {}, key?: string) {
  const keyed = key === undefined ? form : { ...form, 'idempotency-key': key };
  const api = client(`${sandbox.providerUrls['STRIPE']}/v1`, 'sk_test_1');
  const body = line.startsWith('GET') ? undefined : new URLSearchParams(fields).toString();
  const { status, json, text } = await api.call(line, body, keyed);
  if (status !== 200) throw new Error(`${line}: ${status} ${text}`);
  return json;
}

const pageOf = (url: string) => client(new URL(new URL(url).pathname, sandbox.url).href);
const known = () => client(sandbox.url).must('GET /control/stripe');

const customer = await call('POST /customers', { name: hostile });
const session = await call('POST /checkout/sessions', {
  mode: 'setup',
  customer: customer.id,
  success_url: 'http://127.0.0.1/done?a=1&b="2"',
});

t.test('a checkout that nobody has completed is there after a restart', async (t) => {
  await restart();
  const { status, text, headers } = await pageOf(session.url).call('GET ');
  t.equal(status, 200);
  t.ok(text.includes(`for <b>${shown}</b>`), 'the name stays text');
  t.notMatch(text, /<script|<img/);
  for (const card of ['pays', 'declines', 'asks', 'leave'])
    t.ok(text.includes(`<button name="card" value="${card}"`), card);
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  t.ok(String(headers['content-security-policy']).includes(`style-src 'sha256-${hash}'`));
});

t.test('a card and a payment are, too, and a key still has its answer', async (t) => {
  t.equal((await pageOf(session.url).call('POST ', 'card=pays', form)).status, 303);
  const [method] = (await known()).methods;
  const order = {
    amount: '123456',
    currency: 'usd',
    customer: customer.id,
    payment_method: method.id,
    description: hostile,
  };
  const paid = await call('POST /payment_intents', order, 'inv_1-1');
  const before = await known();
  await restart();
  t.same(await known(), before);
  t.same(await call('POST /payment_intents', order, 'inv_1-1'), paid);
  t.equal((await known()).payments.length, 1, 'paid once');
  const done = (await pageOf(session.url).call('GET ')).text;
  t.match(done, 'This checkout is complete');
  t.ok(done.includes('href="http://127.0.0.1/done?a=1&amp;b=&quot;2&quot;"'));
  const overview = (await client(sandbox.url).call('GET /stripe/')).text;
  t.match(overview, '<td>1234.56 USD</td>');
  t.notMatch(overview, /<script|<img/);
  t.ok(overview.includes(`<td>${shown}</td>`));
});
