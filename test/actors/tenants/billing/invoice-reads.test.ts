import t from 'tap';
import { dayMs } from '../../../../engine/base/brand.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { BillingScene, sharedStripe } from './billing-scene.ts';

const stripe = await sharedStripe(t);

t.test('an invoice is read by its own org, and by no other of its partition', async (t) => {
  const scene = await BillingScene.withInvoice(stripe, 'pays');
  const [invoice] = await scene.invoices();
  const id = invoice?.id ?? '';
  const client = await scene.openClient('org_00000000000000000000000033');
  const { org: made } = await scene.one.value(5, 'org.create', {
    orgId: 'org_00000000000000000000000044',
    name: 'Other',
    parentOrgId: null,
    key: { id: 'key_other', keyId: 'other', secretHash: new Uint8Array(32) },
  });
  const other = made.ordinal;
  const agency = scene.one.product.state.orgs.get(client)?.record.parentOrdinal;
  t.equal(agency, scene.org);
  t.match(await scene.one.value(scene.org, 'invoice.read', { id }), { id, totalCents: 200 });
  const unknown = { id: 'inv_00000000000000000000000000' };
  const none = await scene.one.ask(scene.org, 'invoice.read', unknown);
  t.match(none, { ok: false, fault: { code: 'not_found' } });
  for (const stranger of [client, other])
    t.same(await scene.one.ask(stranger, 'invoice.read', { id }), none, 'as one that never was');
});

t.test('the history of four months is read in pages of one', async (t) => {
  const scene = await BillingScene.withInvoice(stripe, undefined);
  for (let day = 0; day < 92; day++) await scene.advance(dayMs);
  const months: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 9; page++) {
    const more = cursor === undefined ? {} : { cursor };
    const read = await scene.one.value(scene.org, 'billing.read', { limit: 1, ...more });
    t.equal(read.invoices.length, 1);
    months.push(...read.invoices.map(({ month }) => month));
    if (read.nextCursor === null) break;
    cursor = read.nextCursor;
  }
  const january = utcMonthOf(Date.UTC(2026, 0));
  t.same(months, [january + 3, january + 2, january + 1, january], 'newest first, each once');
});
