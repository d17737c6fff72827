// Connecting a payment method through the hosted page, and what it changes (specification, "Billing
// rules"; contract, sections 2 and 11). Against the stand-in, over HTTP, with signed events.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { request } from 'undici';
import { utcMonthOf, utcMonthText } from '../../engine/time/utc-month.ts';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually, makeOrg, type TestOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, org, server, takes, refuses } = all;
const operator = client(server.url, server.bootstrapToken);
const sandbox = client(server.sandboxUrl);
const thisMonth = utcMonthText(utcMonthOf(Date.now()));

const billing = async (who = api) => who.must('GET /v1/org/billing');

/** Opens a checkout and presses a button of its page. */
async function connect(who: TestOrg, card: 'pays' | 'declines'): Promise<void> {
  const { url } = await who.client.must('POST /v1/org/billing/checkout');
  await press(url, card);
}

async function press(url: string, card: string) {
  const { statusCode, headers, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `card=${card}`,
  });
  await body.dump();
  return { status: statusCode, location: headers['location'] };
}

const method = (who = api) =>
  eventually(
    async () => (await billing(who)).paymentMethod ?? undefined,
    'no payment method was connected',
  );

/** Sends a mail and says how it ended. */
async function mail(externalUserId: string): Promise<string> {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    devices: [{ channel: 'email', endpoint: `${externalUserId}@example.com` }],
  });
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId,
    title: 'Hello',
    body: 'There',
  });
  return eventually(async () => {
    const { status, outcomes } = await api.must(`GET ${base}/notifications/${id}`);
    return status === 'pending' ? undefined : `${status} ${outcomes.at(-1)?.reason ?? ''}`.trim();
  }, 'the mail has no receipt');
}

t.test('a month without usage costs nothing, and there is no invoice yet', async (t) => {
  t.same(await api.must('GET /v1/org/invoice-preview'), {
    month: thisMonth,
    prices: '2026-01',
    lines: [],
    totalCents: 0,
    currency: 'USD',
  });
  t.same(await billing(), { paymentMethod: null, waitingFor: null, items: [], nextCursor: null });
});

t.test('the preview bills what the meter counted', async (t) => {
  await operator.must(`PATCH /v1/orgs/${org.id}`, { emailAllowance: 1 });
  t.equal(await mail('ada'), 'delivered');
  const { lines, totalCents } = await api.must('GET /v1/org/invoice-preview');
  t.match(lines, [{ code: 'mau_free', quantity: 1, amountCents: 0 }]);
  t.equal(totalCents, 0);
});

t.test('email stops at the allowance, and a payment method lifts it', async (t) => {
  t.equal(await mail('ben'), 'suppressed email_cap');
  const { body } = await takes(t, 'POST /v1/org/billing/checkout', undefined, 200).then(
    (reply) => ({
      body: reply.json,
    }),
  );
  t.match(body.id, /^cs_test_/);
  const page = await client(body.url).call('GET ');
  t.equal(page.status, 200);
  t.match(page.text, 'Contract', 'the page names the org');
  t.match(page.headers['content-security-policy'], /default-src 'none'/);
  const { status, location } = await press(body.url, 'pays');
  t.equal(status, 303);
  t.equal(location, `${server.url}/dashboard/org/billing?checkout=done`);
  const year = new Date().getUTCFullYear() + 2;
  t.same(await method(), { brand: 'visa', last4: '4242', expires: `${year}-04` });
  t.equal(await mail('cleo'), 'delivered');
  t.equal(await mail('ben'), 'delivered', 'for new sends; the old one stays suppressed');
  const { items } = await api.must('GET /v1/org/audit-log');
  const actions = items.map(({ action }: { action: string }) => action);
  t.ok(actions.includes('billing.checkout_started'));
  t.ok(actions.includes('billing.method_connected'));
  const preview = await api.must('GET /v1/org/invoice-preview');
  t.match(preview.lines.at(1), { code: 'emails', quantity: 2, amountCents: 0 });
});

t.test('the newest card counts, and a removed one is gone', async (t) => {
  // Stripe tells whole seconds, and of two cards of one second nobody knows the newer.
  const first = (await sandbox.must('GET /control/stripe')).methods.at(-1);
  const isLater = async () => (Date.now() >= (first.created + 1) * 1_000 ? true : undefined);
  await eventually(isLater, 'the second did not end');
  await connect(org, 'declines');
  await eventually(
    async () => ((await billing()).paymentMethod?.last4 === '0341' ? true : undefined),
    'the second card was not connected',
  );
  const { methods } = await sandbox.must('GET /control/stripe');
  const newest = methods.find(({ card }: { card: { last4: string } }) => card.last4 === '0341');
  const detached = await press(`${server.sandboxUrl}/stripe/methods/${newest.id}/detach`, '');
  t.equal(detached.status, 303);
  await eventually(
    async () => ((await billing()).paymentMethod === null ? true : undefined),
    'the removed card is still connected',
  );
  t.equal(await mail('dora'), 'suppressed email_cap');
});

t.test('events count once, and only with the right signature', async (t) => {
  const { events } = await sandbox.must('GET /control/stripe/events');
  const { id } = events.find(({ type }: { type: string }) => type === 'setup_intent.succeeded');
  const again = await sandbox.must(`POST /control/stripe/events/${id}`);
  t.equal(again.status, 200);
  t.equal((await billing()).paymentMethod, null, 'an old event does not connect it again');

  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'ping', data: { object: {} } });
  const post = (secret: string, atMs: number) => {
    const at = Math.floor(atMs / 1_000);
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return client(server.url).call('POST /v1/webhooks/stripe', body, {
      'stripe-signature': `t=${at},v1=${v1}`,
    });
  };
  t.match(await post('whsec_sandbox', Date.now()), { status: 200, json: { result: 'ignored' } });
  const refused = { status: 403, code: 'invalid_signature', field: 'stripe-signature' };
  checkRefusal(t, await post('whsec_other', Date.now()), refused, 'another secret');
  checkRefusal(t, await post('whsec_sandbox', Date.now() - 400_000), refused, 'an old one');
  const bare = await client(server.url).call('POST /v1/webhooks/stripe', body);
  checkRefusal(t, bare, refused, 'no signature');
});

t.test('Stripe cannot be reached: nothing changes, and it works later', async (t) => {
  const other = await makeOrg(server, 'Later');
  await sandbox.must('POST /control/stripe', { isDown: true });
  const refused = await other.client.call('POST /v1/org/billing/checkout');
  checkRefusal(t, refused, { status: 503, code: 'payment_provider' }, 'down');
  t.equal(refused.headers['retry-after'], '30');
  await sandbox.must('POST /control/stripe', { isDown: false });
  await connect(other, 'pays');
  t.equal((await method(other.client)).last4, '4242');
});

t.test('events in another order, and twice, end the same', async (t) => {
  for (const order of ['backwards', 'twice']) {
    await sandbox.must('POST /control/stripe/webhook', { order });
    const other = await makeOrg(server, order);
    await connect(other, 'pays');
    t.equal((await method(other.client)).last4, '4242', order);
  }
  await sandbox.must('POST /control/stripe/webhook', { order: 'late' });
  const late = await makeOrg(server, 'late');
  await connect(late, 'pays');
  t.equal((await billing(late.client)).paymentMethod, null);
  await sandbox.must('POST /control/stripe/late');
  t.equal((await method(late.client)).last4, '4242', 'late');
  await sandbox.must('POST /control/stripe/webhook', { order: 'plain' });
});

t.test('a connected method survives kill -9', async () => {
  const other = await makeOrg(server, 'Killed');
  await connect(other, 'pays');
  const before = await method(other.client);
  afterKill(server, 'a connected method is there', async (t) =>
    t.same(await method(other.client), before),
  );
});

t.test('billing is read with `read` and started with `admin`, by keys of the org', async (t) => {
  const key = async (body: object) =>
    withKey(all, (await api.must('POST /v1/keys', { name: 'k', ...body })).key);
  const refused = { status: 403, code: 'forbidden' };
  const reader = await key({ scopes: ['read'] });
  const writer = await key({ scopes: ['write', 'send'] });
  const ofApp = await key({ scopes: ['read', 'admin'], appId: app });
  for (const line of ['GET /v1/org/billing', 'GET /v1/org/invoice-preview']) {
    t.equal((await reader.call(line)).status, 200, line);
    checkRefusal(t, await writer.call(line), refused, line);
    checkRefusal(t, await ofApp.call(line), refused, line);
  }
  checkRefusal(t, await reader.call('POST /v1/org/billing/checkout'), refused, 'checkout');
  checkRefusal(t, await ofApp.call('POST /v1/org/billing/checkout'), refused, 'checkout');
});

t.test('a live server without a key of Stripe says so', async (t) => {
  const bare = await chapter(t, { ENGAGE_MODE: 'live' });
  const refusal = { status: 503, code: 'billing_not_configured' };
  await bare.refuses(t, 'POST /v1/org/billing/checkout', undefined, refusal);
  await bare.refuses(t, 'POST /v1/webhooks/stripe', { id: 'evt_1' }, refusal);
  const { items, paymentMethod } = await bare.api.must('GET /v1/org/billing');
  t.same([items, paymentMethod], [[], null], 'the rest works');
  t.equal((await bare.api.must('GET /v1/org/invoice-preview')).totalCents, 0);
});

t.test('what is none is refused', async (t) => {
  await refuses(t, 'GET /v1/org/invoice-preview?month=2026-13', undefined, {
    status: 400,
    field: 'month',
  });
  await refuses(t, 'GET /v1/org/invoice-preview?month=9999-12', undefined, {
    status: 400,
    field: 'month',
  });
  await refuses(t, 'GET /v1/org/billing?cursor=x', undefined, { status: 400, field: 'cursor' });
  const unknown = 'GET /v1/org/invoices/inv_00000000000000000000000000';
  await refuses(t, unknown, undefined, { status: 404, code: 'not_found' });
  await refuses(t, 'GET /v1/org/invoices/x', undefined, { status: 404, code: 'not_found' });
});
