// When months are closed, and what their invoices say: also after a downtime, and with a clock in
// doubt.

import t from 'tap';
import { isPaying } from '../../../../actors/tenants/billing/reads.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart, utcMonthText } from '../../../../engine/time/utc-month.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';
import { BillingScene, sharedStripe } from './billing-scene.ts';

const start = Date.UTC(2026, 0, 20);
const orgId = 'org_00000000000000000000000000';

async function begun() {
  const { one, org, app } = await partitionWithApp({ clock: testClock(start) });
  await one.settle();
  return { one, org, app };
}

type Begun = Awaited<ReturnType<typeof begun>>;

async function people({ one, app }: Pick<Begun, 'one' | 'app'>, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const size = Math.min(1_000, count - from);
    const events = Array.from({ length: size }, (_, index) => ({
      name: 'visit',
      externalUserId: `user-${from + index}`,
    }));
    const bytes = Buffer.from(JSON.stringify({ events }));
    await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  }
}

async function invoicesOf({ one, org }: Pick<Begun, 'one' | 'org'>) {
  const { invoices } = await one.value(org, 'billing.read', { limit: 200 });
  return invoices.toReversed();
}

const monthsOf = async (scene: Pick<Begun, 'one' | 'org'>) =>
  (await invoicesOf(scene)).map(({ month }) => utcMonthText(month));

async function moveTo({ one }: Pick<Begun, 'one'>, atMs: number): Promise<void> {
  await one.advance(atMs - one.clock.nowMs);
}

const february = utcMonthStart(utcMonthOf(Date.UTC(2026, 1)));

t.test('a month is closed at ten past midnight, once', async (t) => {
  const scene = await begun();
  await moveTo(scene, february + 10 * minuteMs - 1);
  t.same(await monthsOf(scene), []);
  await moveTo(scene, february + 10 * minuteMs);
  t.same(await monthsOf(scene), ['2026-01']);
  await scene.one.advance(hourMs);
  t.same(await monthsOf(scene), ['2026-01']);
  const [invoice] = await invoicesOf(scene);
  t.match(invoice, { status: 'paid', totalCents: 0, lines: [], attempts: [], prices: '2026-01' });
  t.equal(invoice?.paidMs, invoice?.issuedMs, 'nothing to pay is paid at once');
});

t.test('the invoice says what the preview said in the last millisecond', async (t) => {
  const scene = await begun();
  const { one, org, app } = scene;
  await people(scene, 10_400);
  const meter = one.product.state.orgs.get(org)?.meter;
  for (let i = 0; i < 900; i++) meter?.countEmails(one.clock.nowMs, 1, 20_000);
  const preview = () => one.value(org, 'billing.preview', {});
  t.equal((await preview()).totalCents, 200);
  await moveTo(scene, february - 2);
  // Both still count: a deleted app's people, and the allowance that the month ends with.
  await one.value(app, 'app.delete', {});
  await one.value(org, 'org.set_limits', { emailAllowance: 100 });
  await moveTo(scene, february - 1);
  const { lines, totalCents, prices } = await preview();
  t.equal(totalCents, 200 + 80);
  await moveTo(scene, february + minuteMs);
  await one.value(org, 'org.set_limits', { emailAllowance: null });
  await moveTo(scene, february + hourMs);
  const [invoice] = await invoicesOf(scene);
  t.match(invoice, { totalCents, prices, status: 'open' });
  t.same(invoice?.lines, lines);
  const again = await one.value(org, 'billing.preview', { month: utcMonthOf(start) });
  t.same(again.lines, lines, 'and the preview of the past month still does');
});

t.test('months that end while the server is down are closed at its start, in order', async (t) => {
  const scene = await begun();
  await people(scene, 10_020);
  const { clock } = scene.one;
  clock.nowMs = Date.UTC(2026, 4, 3);
  const one = new TestPartition({ store: scene.one.store.crash(), clock });
  await one.settle();
  const after = { one, org: scene.org };
  t.same(await monthsOf(after), [], 'the clock jumped: nobody has confirmed it');
  t.match(await one.value(scene.org, 'billing.read', { limit: 1 }), { isClockInDoubt: true });
  one.partition.confirmClock('operator');
  await one.settle();
  t.match(await one.value(scene.org, 'billing.read', { limit: 1 }), { isClockInDoubt: false });
  t.same(await monthsOf(after), ['2026-01', '2026-02', '2026-03', '2026-04']);
  const invoices = await invoicesOf(after);
  t.same(
    invoices.map(({ number }) => number),
    ['00000000-0001', '00000000-0002', '00000000-0003', '00000000-0004'],
  );
  t.equal(new Set(invoices.map(({ id }) => id)).size, 4);
});

t.test('a wrong clock closes nothing, and the right one closes what is over', async (t) => {
  const scene = await begun();
  const { clock } = scene.one;
  clock.nowMs = Date.UTC(2027, 0, 5);
  const wrong = new TestPartition({ store: scene.one.store.crash(), clock });
  await wrong.settle();
  await wrong.advance(6 * hourMs);
  t.same(await monthsOf({ one: wrong, org: scene.org }), []);
  clock.nowMs = Date.UTC(2026, 0, 25);
  const right = new TestPartition({ store: wrong.store.crash(), clock });
  await right.settle();
  right.partition.acceptClock();
  await right.advance(minuteMs);
  const after = { one: right, org: scene.org };
  t.same(await monthsOf(after), []);
  await moveTo(after, february + 9 * minuteMs);
  t.same(await monthsOf(after), []);
  await moveTo(after, february + 12 * minuteMs);
  t.same(await monthsOf(after), ['2026-01'], 'at its own time, not moved with the clock');
});

t.test('a small total goes to the next invoice, with its number', async (t) => {
  const scene = await begun();
  await people(scene, 10_060);
  await moveTo(scene, february + hourMs);
  const [first] = await invoicesOf(scene);
  t.match(first, { status: 'paid', totalCents: 0 });
  t.match(first?.lines.at(-1), { code: 'carried_out', amountCents: -30 });
  await people(scene, 10_060);
  const { lines } = await scene.one.value(scene.org, 'billing.preview', {});
  t.match(lines[0], {
    code: 'carried_in',
    description: 'Carried from invoice 00000000-0001',
    amountCents: 30,
  });
  await scene.one.advance(40 * dayMs);
  const [, second] = await invoicesOf(scene);
  t.match(second, { status: 'open', totalCents: 60 });
  t.same(second?.lines, lines);
});

t.test('a restart at any hour changes no invoice', async (t) => {
  const scene = await begun();
  await people(scene, 10_500);
  await moveTo(scene, february + hourMs);
  await people(scene, 200);
  await scene.one.advance(70 * dayMs);
  const before = await invoicesOf(scene);
  t.equal(before.length, 3);
  const replayed = new TestPartition({
    store: scene.one.store.crash(),
    clock: scene.one.clock,
  });
  await replayed.settle();
  t.same(await invoicesOf({ one: replayed, org: scene.org }), before);
  t.same(
    replayed.product.state.orgs.get(scene.org)?.billing,
    scene.one.product.state.orgs.get(scene.org)?.billing,
  );
});

t.test('without a key of the provider, invoices are issued and stay open', async (t) => {
  const scene = await begun();
  await people(scene, 10_500);
  await scene.one.advance(20 * dayMs);
  const [invoice] = await invoicesOf(scene);
  t.match(invoice, { status: 'open', totalCents: 250, attempts: [] });
  const refused = await scene.one.ask(scene.org, 'billing.ask_checkout', {});
  t.match(refused, { ok: false, fault: { code: 'billing_not_configured' } });
});

t.test('a client workspace gets no invoice and no checkout', async (t) => {
  const { one } = await begun();
  const { org } = await one.value(5, 'org.create', {
    orgId: 'org_00000000000000000000000001',
    name: 'Client',
    parentOrgId: orgId,
    key: { id: 'key_1', keyId: '000000000001', secretHash: new Uint8Array(32) },
  });
  await one.advance(70 * dayMs);
  const conflict = { ok: false, fault: { code: 'wrong_state' } };
  t.match(await one.ask(org.ordinal, 'billing.ask_checkout', {}), conflict);
  t.match(await one.ask(org.ordinal, 'billing.preview', {}), conflict);
  t.match(await one.ask(org.ordinal, 'billing.read', { limit: 1 }), conflict);
  t.equal(one.product.state.orgs.get(org.ordinal)?.billing.invoiceCount, 0);
});

t.test("an agency's payment method pays for its clients' emails, old and new ones", async (t) => {
  const scene = await BillingScene.open(await sharedStripe(t));
  const pays = () =>
    [...scene.one.product.state.orgs.values()]
      .filter(({ record }) => record.parentOrgId !== null)
      .map(({ billing }) => isPaying(billing));
  await scene.openClient('org_00000000000000000000000001');
  t.same(pays(), [false]);
  await scene.connect('pays');
  t.same(pays(), [true], 'without waiting for a clock');
  await scene.openClient('org_00000000000000000000000002');
  t.same(pays(), [true, true]);
  await scene.crash();
  t.same(pays(), [true, true]);
  const { methods } = await scene.control.must('GET /control/stripe');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await scene.control.call(`POST /stripe/methods/${methods[0].id}/detach`, '', headers);
  for (const event of await scene.newEvents()) await scene.take(event);
  t.same(pays(), [false, false], 'and without it no more');
});

t.test("a month waits for every client's figures, and bills them together", async (t) => {
  const scene = await BillingScene.open(await sharedStripe(t));
  const client = await scene.openClient('org_00000000000000000000000001');
  const { ordinal } = await scene.one.value(client, 'app.create', {
    name: 'Shop of the client',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  await scene.people(9_000);
  const own = scene.app;
  scene.app = ordinal;
  await scene.people(2_000);
  scene.app = own;
  scene.isCut = true; // what the client says does not arrive
  await scene.advance(february + 2 * hourMs - scene.clock.nowMs);
  t.same(await scene.invoices(), []);
  scene.isCut = false;
  await scene.advance(hourMs);
  await scene.advance(hourMs);
  const [invoice] = await scene.invoices();
  t.match(invoice, { totalCents: 500, lines: [{ quantity: 10_000 }, { quantity: 1_000 }] });
  t.equal(scene.one.product.state.orgs.get(client)?.billing.invoiceCount, 0);
});
