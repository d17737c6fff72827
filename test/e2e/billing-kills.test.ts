// Charges over kill -9, on the real server: the engine is killed at each call to Stripe, before
// Stripe has seen it, once Stripe has done it, and once it is answered. Stripe's stand-in is in
// this process and keeps its events back: what the engine knows, it has asked for. In the end
// each invoice is paid, by one payment.

import t, { type Test } from 'tap';
import { minuteMs, secondMs } from '../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart, utcMonthText } from '../../engine/time/utc-month.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import {
  client,
  eventually,
  makeOrg,
  startServer,
  type TestOrg,
  until,
} from '../support/server.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { StripeDoorway, strikesAt } from './billing-strikes.ts';

t.setTimeout(900_000); // many starts, and a machine that is busy with other tests

const orgsCharged = 4;
const batchMax = 1_000;
const limitMs = 240_000;
const secret = 'whsec_kills';
const list = 'GET /v1/payment_intents';
const search = 'GET /v1/payment_intents/search';
const pay = 'POST /v1/payment_intents';

/** The month that is billed ends soon, for the server as for Stripe. */
const month = utcMonthOf(Date.now());
const closesMs = utcMonthStart(month + 1) + 10 * minuteMs;
const environment = {
  ...shiftedClock(closesMs - 40 * minuteMs - Date.now()),
  ENGAGE_MODE: 'live',
  ENGAGE_STRIPE_URL: '',
  ENGAGE_STRIPE_SECRET_KEY: 'sk_test_kills',
  ENGAGE_STRIPE_WEBHOOK_SECRET: secret,
  ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
  ENGAGE_LOG_LEVEL: 'error',
};
const now = () => Date.now() + Number(environment.TEST_CLOCK_MS);

const sandbox = await startSandbox({ port: 0, clock: { now, monotonic: now } });
t.teardown(() => sandbox.close());
const stripe = client(sandbox.url);
const doorway = new StripeDoorway(sandbox.providerUrls['STRIPE'] ?? '', async () => {
  process.kill(server.enginePid(), 'SIGKILL');
  // Its primary would take its time after so many ends.
  await server.kill('SIGKILL');
  server.launch();
});
environment.ENGAGE_STRIPE_URL = await doorway.open(t);
const server = await startServer(t, { environment });
await stripe.must('POST /control/stripe/webhook', {
  url: `${server.url}/v1/webhooks/stripe`,
  secret,
  order: 'late',
});

/** An org and what its month comes to: 50 cents and more. */
interface Payer extends TestOrg {
  readonly cents: number;
}

const payers: Payer[] = [];
for (let index = 0; index <= orgsCharged; index++) {
  const org = await makeOrg(server, `Payer ${index}`);
  const app = await org.client.must('POST /v1/apps', { name: 'Shop', timezone: 'UTC' });
  await visits(org, app.id, 10_100 + 20 * index);
  payers.push({ ...org, cents: 50 + 10 * index });
}
const charged = payers.slice(0, orgsCharged);
for (const org of charged) await connect(org);

/** The last of them has no payment method when its month is closed. */
const late = payers.at(-1) as Payer;

async function visits(org: TestOrg, appId: string, people: number): Promise<void> {
  for (let from = 0; from < people; from += batchMax) {
    const events = Array.from({ length: Math.min(batchMax, people - from) }, (_, index) => ({
      name: 'visit',
      externalUserId: `user-${from + index}`,
    }));
    await org.client.must('POST /e', { appId, events });
  }
}

/** Calls until it is answered with 200: a kill cuts an answer off, as it may for any caller. */
async function insist(line: string, call: () => Promise<{ readonly status: number }>) {
  await until(
    async () => (await call().catch(() => undefined))?.status === 200,
    () => `${line} never succeeds\n${server.log()}`,
    limitMs,
  );
}

/** Through the hosted page; Stripe repeats its event until it is answered. */
async function connect(org: TestOrg): Promise<void> {
  let page = '';
  await insist('the checkout', async () => {
    const { status, json } = await org.client.call('POST /v1/org/billing/checkout');
    page = json?.url;
    return { status };
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await client(page).call('POST ', 'card=pays', form);
  const { events } = await stripe.must('GET /control/stripe/events');
  const { id } = events.find(({ type }: { type: string }) => type === 'setup_intent.succeeded');
  await insist('the event', async () => {
    const { json } = await stripe.call(`POST /control/stripe/events/${id}`);
    return { status: Number(json?.status) };
  });
}

async function invoicesOf(org: TestOrg) {
  const reply = await org.client.call('GET /v1/org/billing').catch(() => undefined);
  return reply?.status === 200 ? reply.json.items : undefined;
}

/** Its only invoice, once it is paid. */
const paidInvoice = (org: TestOrg) =>
  eventually(
    async () => {
      const [invoice] = (await invoicesOf(org)) ?? [];
      return invoice?.status === 'paid' ? invoice : undefined;
    },
    () => `an invoice is not paid; ${JSON.stringify(doorway.strikes)} to come\n${server.log()}`,
    limitMs,
  );

async function paidOnce(t: Test, org: Payer): Promise<void> {
  const invoice = await paidInvoice(org);
  t.match(invoice, { totalCents: org.cents, month: utcMonthText(month) });
  t.match(invoice.attempts, [{ attempt: 1, outcome: 'succeeded' }]);
  t.equal((await invoicesOf(org))?.length, 1, 'one invoice');
  const { payments } = await stripe.must('GET /control/stripe');
  const own = payments.filter(
    ({ metadata }: { metadata: object }) =>
      (metadata as Record<string, string>)['engage_invoice'] === invoice.id,
  );
  t.match(own, [{ amount: org.cents, status: 'succeeded', currency: 'usd' }]);
  t.equal(own.length, 1, 'one payment');
}

t.test('the engine is killed at each call of a charge', async (t) => {
  doorway.strikes = strikesAt(list, search, pay);
  const planned = [...doorway.strikes];
  await server.stop();
  environment.TEST_CLOCK_MS = String(closesMs - 2 * secondMs - Date.now());
  await server.start();
  for (const org of charged) await paidOnce(t, org);
  t.same(doorway.kills, planned);
  const [unpaid] = await invoicesOf(late);
  t.match(unpaid, { status: 'open', totalCents: late.cents, attempts: [] });
});

t.test(
  'the engine is killed while a method is connected, and at the charge of what is open',
  async (t) => {
    doorway.kills.length = 0;
    doorway.strikes = strikesAt(
      'POST /v1/customers',
      'POST /v1/checkout/sessions',
      'GET /v1/setup_intents/*',
      pay,
    );
    // The charge that Stripe has done leaves nothing to pay.
    doorway.strikes.pop();
    const planned = [...doorway.strikes];
    await connect(late);
    await paidOnce(t, late);
    t.same(doorway.kills, planned);
    const { customers } = await stripe.must('GET /control/stripe');
    t.equal(customers.length, payers.length, 'one customer for each');
  },
);

t.test('an invoice is read as JSON and as a page, and by its own org alone', async (t) => {
  const [owner, stranger] = payers as [Payer, Payer];
  const [item] = await invoicesOf(owner);
  const line = `GET /v1/org/invoices/${item.id}`;
  const json = await owner.client.call(line);
  t.equal(json.status, 200);
  t.same(json.json, item, 'as in the list');
  const page = await owner.client.call(line, undefined, { accept: 'text/html' });
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  t.match(page.headers['content-security-policy'], /default-src 'none'/);
  t.match(page.text, item.number);
  const { apiKey } = await owner.client.must('POST /v1/org/clients', { name: 'Client' });
  const none = await stranger.client.call('GET /v1/org/invoices/inv_00000000000000000000000000');
  t.equal(none.status, 404);
  for (const other of [stranger.client, client(server.url, apiKey.key)]) {
    const refused = await other.call(line);
    t.equal(refused.status, 404);
    t.same(refused.json, none.json, 'as one that never was');
  }
});

t.test('late events and another start change nothing', async (t) => {
  const before = await Promise.all(payers.map(invoicesOf));
  const callbacks = () => stripe.must('GET /control/stripe/callbacks');
  const { taken } = await callbacks();
  const { sent } = await stripe.must('POST /control/stripe/late');
  t.ok(sent >= payers.length);
  await until(async () => (await callbacks()).waiting === 0, 'events are not taken');
  t.equal((await callbacks()).taken - taken, sent);
  const calls = doorway.done.filter((line) => line.includes('payment_intents')).length;
  await server.restart();
  t.same(await Promise.all(payers.map(invoicesOf)), before);
  t.equal(doorway.done.filter((line) => line.includes('payment_intents')).length, calls);
});
