// Stripe's events about one invoice, and about cards: in any order, doubled, or missing. They end
// in the state that the engine's own reports end in, and with the card that was entered last.

import fc from 'fast-check';
import t from 'tap';
import { folded } from '../../../../actors/tenants/billing/folded.ts';
import { type Billing, methodOf, noBilling } from '../../../../actors/tenants/billing/records.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { BillingScene, type Card, sharedStripe } from './billing-scene.ts';

const stripe = await sharedStripe(t);
const nextTryMs = 26 * hourMs;

/** Which event of those so far, counted from the newest; or what else happens in between. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 5 }) },
  fc.constantFrom('report' as const, 'crash' as const),
);
const steps = fc.array(step, { maxLength: 12 });

type Steps = readonly (number | 'report' | 'crash')[];

async function play(scene: BillingScene, events: object[], round: Steps): Promise<void> {
  await scene.perform();
  events.unshift(...(await scene.newEvents()).reverse());
  for (const one of round) {
    if (one === 'report') await scene.report();
    else if (one === 'crash') await scene.crash();
    else if (events[one] !== undefined) await scene.take(events[one]);
  }
  await scene.chargeAll();
}

/** Two tries of the invoice, the second a day later; the first may have paid it. */
async function endOf(card: Card, rounds: readonly Steps[]) {
  const scene = await BillingScene.withInvoice(stripe, card);
  const { events: known } = await scene.control.must('GET /control/stripe/events');
  const events: object[] = known.slice(0, 3); // what connected the card
  for (const round of rounds) {
    await play(scene, events, round);
    await scene.advance(nextTryMs);
  }
  await scene.chargeAll();
  const { events: _, ...billing } = scene.one.product.state.orgs.get(scene.org)?.billing ?? {};
  const payments = (await scene.payments()).map(({ amount, status }) => ({ amount, status }));
  return { billing: withoutIds(billing), invoices: await scene.invoices(), payments };
}

/** The stand-in draws its ids anew for each scene. */
function withoutIds(billing: object): unknown {
  return JSON.parse(JSON.stringify(billing).replace(/(cus|pm)_[0-9a-f]+/g, '$1'));
}

t.test('events in any order, doubled or missing, end in the same state', async (t) => {
  const cards: readonly Card[] = ['pays', 'declines', 'asks'];
  const plain = new Map<Card, Awaited<ReturnType<typeof endOf>>>();
  for (const card of cards) plain.set(card, await endOf(card, [[], []]));
  t.match(plain.get('pays'), { invoices: [{ status: 'paid' }], payments: [{ amount: 200 }] });
  t.match(plain.get('declines'), { invoices: [{ status: 'open' }] });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cards), steps, steps, async (card, first, second) => {
      t.same(await endOf(card, [first, second]), plain.get(card));
    }),
    { numRuns: tries(20) },
  );
});

const connected = (scene: BillingScene) => {
  const billing = scene.one.product.state.orgs.get(scene.org)?.billing;
  return billing && methodOf(billing)?.id;
};

async function withoutInvoice(): Promise<BillingScene> {
  await stripe.control.must('DELETE /control/stripe');
  const scene = await BillingScene.open(stripe);
  await scene.newEvents();
  return scene;
}

t.test('the card that was entered last counts, whichever checkout was opened first', async (t) => {
  for (const isDetached of [false, true]) {
    const scene = await withoutInvoice();
    const first = await scene.openCheckout();
    await scene.advance(1_000);
    const second = await scene.openCheckout();
    await scene.advance(1_000);
    await scene.complete(second, 'pays');
    await scene.advance(1_000);
    if (isDetached) await scene.detach((await scene.methods())[0] ?? '');
    await scene.complete(first, 'pays');
    for (const event of await scene.newEvents()) await scene.take(event);
    t.equal(connected(scene), (await scene.methods())[1], `the other detached: ${isDetached}`);
  }
});

type CardStep = readonly ['open' | 'complete' | 'detach' | 'take', number];

const cardSteps: fc.Arbitrary<readonly CardStep[]> = fc.array(
  fc.tuple(fc.constantFrom('open', 'complete', 'complete', 'detach', 'take'), fc.nat({ max: 9 })),
  { minLength: 4, maxLength: 16 },
);

/** Plays the steps; the model's card is the one entered last, unless it was removed. */
async function playCards(scene: BillingScene, steps: readonly CardStep[], events: object[]) {
  const pages: string[] = [await scene.openCheckout(), await scene.openCheckout()];
  const detached = new Set<string>();
  for (const [what, nth] of steps) {
    await scene.advance(1_000);
    if (what === 'open') pages.push(await scene.openCheckout());
    if (what === 'complete') {
      const [page] = pages.splice(nth % Math.max(1, pages.length), 1);
      if (page !== undefined) await scene.complete(page, 'pays');
    }
    const methods = await scene.methods();
    const removed = methods[nth % Math.max(1, methods.length)];
    if (what === 'detach' && removed !== undefined) {
      await scene.detach(removed);
      detached.add(removed);
    }
    events.push(...(await scene.newEvents()));
    const event = events[nth % Math.max(1, events.length)];
    if (what === 'take' && event !== undefined) await scene.take(event);
  }
  const last = (await scene.methods()).at(-1);
  return last === undefined || detached.has(last) ? undefined : last;
}

t.test('cards entered and removed: events in any order agree with what happened', async (t) => {
  await fc.assert(
    fc.asyncProperty(cardSteps, fc.array(fc.nat({ max: 99 })), async (steps, picks) => {
      const scene = await withoutInvoice();
      const events: object[] = [];
      const expected = await playCards(scene, steps, events);
      for (const nth of picks) {
        const event = events[nth % Math.max(1, events.length)];
        if (event !== undefined) await scene.take(event);
      }
      for (const event of events.toReversed()) await scene.take(event);
      t.equal(connected(scene), expected);
    }),
    { numRuns: tries(30) },
  );
});

t.test('a removed card stays removed, however many others are removed after it', async (t) => {
  const method = {
    id: 'pm_new',
    brand: 'visa',
    last4: '4242',
    expMonth: 4,
    expYear: 2028,
    setUpMs: 1,
  };
  let billing: Billing = { ...noBilling, newest: method };
  for (const methodId of ['pm_new', ...Array.from({ length: 200 }, (_, nth) => `pm_${nth}`)])
    billing = folded(billing, { kind: 'billing.method_detached', owner: 1, methodId });
  t.equal(methodOf(billing), undefined);
  t.ok(billing.detached.length <= 51);
});
