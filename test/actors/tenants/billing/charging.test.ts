// Charges against Stripe's stand-in over HTTP: the process ends between any two steps, answers get
// lost, Stripe is down, keys are forgotten, events come late. No invoice is ever paid twice, and in
// the end each is paid.

import fc from 'fast-check';
import t from 'tap';
import { isPaying } from '../../../../actors/tenants/billing/reads.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { BillingScene, type Card, sharedStripe } from './billing-scene.ts';

const stripe = await sharedStripe(t);
const withInvoice = (card: Card | undefined) => BillingScene.withInvoice(stripe, card);

const paid = async (scene: BillingScene) =>
  (await scene.payments()).filter(({ status }) => status === 'succeeded').length;
const pays = (scene: BillingScene) => {
  const billing = scene.one.product.state.orgs.get(scene.org)?.billing;
  return billing !== undefined && isPaying(billing);
};
const january = async (scene: BillingScene) => (await scene.invoices())[0];

t.test('an invoice is charged as soon as it is closed', async (t) => {
  const scene = await withInvoice('pays');
  t.equal(scene.orders.length, 1);
  t.match(await january(scene), { status: 'open', attempts: [{ attempt: 1, outcome: 'pending' }] });
  await scene.chargeAll();
  t.match(await january(scene), {
    status: 'paid',
    totalCents: 200,
    attempts: [{ attempt: 1, outcome: 'succeeded' }],
  });
  const [payment] = await scene.payments();
  t.match(payment, { amount: 200, status: 'succeeded' });
  t.equal(payment?.metadata['engage_invoice'], (await january(scene))?.id);
  await scene.advance(20 * dayMs);
  t.equal(scene.orders.length, 0);
});

t.test('the process ends between any two steps, and it is paid once', async (t) => {
  const steps = ['order', 'performed', 'reported'] as const;
  for (const last of steps) {
    const scene = await withInvoice('pays');
    if (last !== 'order') await scene.perform();
    if (last === 'reported') await scene.report();
    await scene.crash();
    await scene.chargeAll();
    t.equal((await january(scene))?.status, 'paid', last);
    t.equal(await paid(scene), 1, last);
  }
});

t.test(
  'an answer that got lost is asked for, also once Stripe has forgotten the key',
  async (t) => {
    for (const isForgotten of [false, true]) {
      const scene = await withInvoice('pays');
      await scene.control.must('POST /control/faults', {
        channel: 'stripe',
        match: 'POST /payment_intents',
        fault: 'drop',
        count: 1,
      });
      await scene.chargeAll();
      t.equal((await january(scene))?.status, 'open');
      t.equal(await paid(scene), 1, 'Stripe has charged');
      if (isForgotten) await scene.control.must('DELETE /control/stripe/keys');
      await scene.advance(isForgotten ? 3 * dayMs : 2 * minuteMs);
      t.equal(scene.orders.length, 1);
      t.equal(scene.orders[0]?.attempt, 1, 'the same attempt');
      await scene.chargeAll();
      t.equal((await january(scene))?.status, 'paid');
      t.equal(await paid(scene), 1);
    }
  },
);

t.test('a key in use, a key with other parameters: nothing is charged twice', async (t) => {
  const scene = await withInvoice('pays');
  await scene.control.must('POST /control/stripe', { keyInUse: 1 });
  await scene.chargeAll();
  t.equal((await january(scene))?.status, 'open');
  await scene.advance(2 * minuteMs);
  const [order] = scene.orders;
  await scene.chargeAll();
  t.equal((await january(scene))?.status, 'paid');
  await scene.control.must('DELETE /control/stripe/keys');
  if (order === undefined) throw new Error('there was an order');
  t.same(await stripe.door.charge({ ...order, amountCents: 999 }), { outcome: 'paid' });
  t.equal(await paid(scene), 1);
});

t.test('a key that was used for another customer pays nothing', async (t) => {
  const scene = await withInvoice('declines');
  const [order] = scene.orders;
  if (order === undefined) throw new Error('there was an order');
  await scene.chargeAll();
  const other = await BillingScene.open(stripe);
  await other.checkOut('pays');
  const [, methodId = ''] = await other.methods();
  const crossed = { ...order, customer: other.customer ?? '', methodId };
  t.same(await stripe.door.charge(crossed), {
    outcome: 'unresolved',
    reason: 'StripeIdempotencyError',
  });
  t.equal((await other.payments()).length, 0);
  t.equal((await scene.payments()).length, 1);
});

t.test('a payment of another org with the same invoice id is not ours', async (t) => {
  const scene = await withInvoice('pays');
  const [order] = scene.orders;
  if (order === undefined) throw new Error('there was an order');
  t.same(await stripe.door.charge({ ...order, orgId: 'org_of_another_server' }), {
    outcome: 'paid',
  });
  await scene.control.must('DELETE /control/stripe/keys');
  t.same(await stripe.door.charge(order), { outcome: 'paid' });
  t.same(
    (await scene.payments()).map(({ metadata }) => metadata['engage_org']),
    ['org_of_another_server', order.orgId],
  );
});

t.test('an amount that Stripe never takes is a failure', async (t) => {
  const scene = await withInvoice('pays');
  const [order] = scene.orders;
  if (order === undefined) throw new Error('there was an order');
  t.same(await stripe.door.charge({ ...order, amountCents: 100_000_000 }), {
    outcome: 'failed',
    reason: 'amount_too_large',
  });
  t.equal((await scene.payments()).length, 0);
});

t.test('Stripe is down for two hours: no try is used up', async (t) => {
  const scene = await withInvoice('pays');
  await scene.control.must('POST /control/stripe', { isDown: true });
  for (let asked = 0; asked < 12; asked++) {
    await scene.chargeAll();
    await scene.advance(10 * minuteMs);
  }
  t.match(await january(scene), { status: 'open', attempts: [{ attempt: 1, outcome: 'pending' }] });
  await scene.control.must('POST /control/stripe', { isDown: false });
  await scene.advance(hourMs);
  await scene.chargeAll();
  t.match(await january(scene), { status: 'paid', attempts: [{ attempt: 1 }] });
  t.equal(await paid(scene), 1);
});

t.test('a declined card is tried again after 1, 3, 5 and 7 days, then it failed', async (t) => {
  const scene = await withInvoice('declines');
  const first = scene.clock.nowMs;
  const tries: number[] = [];
  for (let hours = 0; hours < 10 * 24; hours++) {
    if (scene.orders.length > 0) tries.push((scene.clock.nowMs - first) / dayMs);
    await scene.chargeAll();
    await scene.advance(hourMs);
  }
  t.same(tries.map(Math.round), [0, 1, 3, 5, 7]);
  const invoice = await january(scene);
  t.equal(invoice?.status, 'failed');
  t.same(
    invoice?.attempts.map(({ outcome, reason }) => [outcome, reason]),
    Array.from({ length: 5 }, () => ['failed', 'insufficient_funds']),
  );
  t.equal(pays(scene), false, 'the method counts as not connected');
  await scene.advance(minuteMs);
  await scene.connect('pays');
  await scene.chargeAll();
  t.equal((await january(scene))?.status, 'paid', 'another card pays what is open');
  t.equal(await paid(scene), 1);
  t.equal(pays(scene), true);
});

async function live(scene: BillingScene, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await scene.chargeAll();
    await scene.advance(dayMs);
  }
}

t.test('after a failed invoice a new card lifts the cap once it has paid', async (t) => {
  const scene = await withInvoice('declines');
  await live(scene, 10);
  t.equal((await january(scene))?.status, 'failed');
  await scene.connect('declines');
  t.equal(scene.orders.length, 1, 'tried at once');
  t.equal(pays(scene), false, 'the same bad card');
  await scene.crash();
  await scene.chargeAll();
  t.equal(pays(scene), false);
  t.match(await january(scene), { status: 'open' }, 'a new series of tries');
  await scene.advance(26 * hourMs);
  t.equal(scene.orders.length, 1);
  await scene.chargeAll();
  await scene.connect('pays');
  t.equal(pays(scene), false, 'not paid yet');
  await scene.chargeAll();
  t.equal((await january(scene))?.status, 'paid');
  t.equal(pays(scene), true);
});

t.test('a first card lifts the cap at once, whatever is unpaid', async (t) => {
  const scene = await withInvoice(undefined);
  t.equal(pays(scene), false);
  await scene.connect('pays');
  t.equal(scene.orders.length, 1, 'not charged yet');
  t.equal(pays(scene), true);
});

t.test('a bad card every six days lifts the cap for seven days, not for ever', async (t) => {
  const scene = await withInvoice('declines');
  await live(scene, 6);
  await scene.connect('declines');
  await scene.chargeAll();
  t.equal(pays(scene), true, 'six days after the first try');
  await live(scene, 6);
  await scene.connect('declines');
  await scene.chargeAll();
  t.match(await january(scene), { status: 'open' });
  t.equal(pays(scene), false, 'twelve days after it');
});

t.test('an invoice without a payment method waits for one', async (t) => {
  const scene = await withInvoice(undefined);
  await scene.advance(12 * dayMs);
  t.match(await january(scene), { status: 'open', attempts: [] });
  await scene.connect('pays');
  await scene.chargeAll();
  t.equal((await january(scene))?.status, 'paid');
});

t.test('a restored backup does not charge what was paid since', async (t) => {
  const scene = await withInvoice('pays');
  await scene.chargeAll();
  const paidId = (await january(scene))?.id;
  const { customer, newest } = scene.one.product.state.orgs.get(scene.org)?.billing ?? {};
  if (customer === undefined || newest === undefined) throw new Error('a card was connected');
  await scene.control.must('DELETE /control/stripe/keys'); // a week has passed
  // The backup is from before the month's end, and knows the customer and the card.
  stripe.clock.nowMs = Date.UTC(2026, 0, 31, 22);
  const restored = await BillingScene.open(stripe);
  await restored.people(10_440); // what was counted since is not quite the same
  await restored.one.value(restored.org, 'billing.keep_customer', { customer });
  const event = { kind: 'method_set_up', method: newest } as const;
  await restored.one.value(restored.org, 'billing.event', { eventId: 'evt_1', customer, event });
  await restored.advance(3 * hourMs);
  t.equal(restored.orders[0]?.invoiceId, paidId, 'the month has the same id as before');
  t.equal(restored.orders[0]?.amountCents, 220);
  await restored.chargeAll();
  t.equal((await january(restored))?.status, 'paid');
  t.equal(await paid(restored), 1);
  // A customer that the backup does not know: Stripe finds the payment by the invoice.
  const other = await BillingScene.open(stripe);
  await other.checkOut('pays');
  const order = { ...restoredOrder(paidId ?? ''), customer: other.customer ?? '' };
  t.same(await stripe.door.charge(order), { outcome: 'paid' });
  t.equal(await paid(scene), 1);
  t.equal(await paid(other), 0);
});

function restoredOrder(invoiceId: string) {
  return {
    kind: 'stripe.charge',
    partition: 0,
    org: 1,
    orgId: 'org_00000000000000000000000000',
    invoiceId,
    number: '00000000-0001',
    attempt: 1,
    amountCents: 200,
    methodId: 'pm_unknown',
    issuedMs: stripe.clock.nowMs,
  } as const;
}

const action = fc.oneof(
  { weight: 4, arbitrary: fc.constant('perform' as const) },
  { weight: 4, arbitrary: fc.constant('report' as const) },
  { weight: 2, arbitrary: fc.constant('crash' as const) },
  { weight: 2, arbitrary: fc.constant('minutes' as const) },
  { weight: 2, arbitrary: fc.constant('day' as const) },
  fc.constantFrom(
    'lose answer' as const,
    'refuse' as const,
    'down' as const,
    'up' as const,
    'forget keys' as const,
    'card pays' as const,
    'card declines' as const,
    'events' as const,
    'old events' as const,
  ),
);

async function act(scene: BillingScene, what: string, old: object[]): Promise<void> {
  const payments = { channel: 'stripe', match: 'POST /payment_intents', count: 1 };
  switch (what) {
    case 'perform':
      return scene.perform();
    case 'report':
      return scene.report();
    case 'crash':
      return scene.crash();
    case 'minutes':
      return scene.advance(7 * minuteMs);
    case 'day':
      return scene.advance(26 * hourMs);
    case 'lose answer':
      return void (await scene.control.must('POST /control/faults', {
        ...payments,
        fault: 'drop',
      }));
    case 'refuse':
      return void (await scene.control.must('POST /control/faults', {
        ...payments,
        fault: 'status',
        value: 500,
      }));
    case 'down':
      return void (await scene.control.must('POST /control/stripe', { isDown: true }));
    case 'up':
      return void (await scene.control.must('POST /control/stripe', { isDown: false }));
    case 'forget keys':
      return void (await scene.control.must('DELETE /control/stripe/keys'));
    case 'card pays':
    case 'card declines':
      await scene.control.must('POST /control/stripe', { isDown: false });
      await scene.advance(1_000);
      return scene.checkOut(what === 'card pays' ? 'pays' : 'declines');
    case 'events': {
      await scene.control.must('POST /control/stripe', { isDown: false });
      const events = await scene.newEvents();
      old.push(...events);
      for (const event of events.reverse()) await scene.take(event);
      return;
    }
    case 'old events':
      await scene.control.must('POST /control/stripe', { isDown: false });
      for (const event of old) await scene.take(event);
  }
}

t.test('whatever happens, each month is paid, and paid once', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('pays' as const, 'declines' as const, undefined),
      fc.array(action, { minLength: 5, maxLength: 40 }),
      async (card, actions) => {
        const scene = await withInvoice(card);
        const old: object[] = [];
        for (const what of actions) {
          await act(scene, what, old);
          t.ok((await paidOf(scene, 1)) <= 1, 'never twice');
        }
        await scene.control.must('DELETE /control/faults');
        await scene.control.must('POST /control/stripe', { isDown: false });
        await scene.advance(2_000);
        await scene.connect('pays');
        for (let day = 0; day < 9; day++) {
          await scene.chargeAll();
          await scene.advance(dayMs);
        }
        const invoices = (await scene.invoices()).filter(({ totalCents }) => totalCents > 0);
        t.ok(invoices.length > 0);
        const payments = await scene.payments();
        for (const { id, status, totalCents } of invoices) {
          t.equal(status, 'paid');
          const own = payments.filter(
            (one) => one.metadata['engage_invoice'] === id && one.status === 'succeeded',
          );
          t.same(
            own.map(({ amount }) => amount),
            [totalCents],
          );
        }
      },
    ),
    { numRuns: tries(25) },
  );
});

/** Payments of the first invoice that succeeded. */
async function paidOf(scene: BillingScene, nth: number): Promise<number> {
  const invoice = (await scene.invoices())[nth - 1];
  const payments = await scene.payments();
  return payments.filter(
    ({ metadata, status }) => metadata['engage_invoice'] === invoice?.id && status === 'succeeded',
  ).length;
}
