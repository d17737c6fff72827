// Stripe's events about one invoice: in any order, doubled, or missing. They end in the state that
// the engine's own reports end in.

import fc from 'fast-check';
import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
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
    { numRuns: 20 },
  );
});
