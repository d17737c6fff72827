import t from 'tap';
import { unpaidFigures } from '../../../../actors/tenants/billing/unpaid.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { BillingScene, sharedStripe } from './billing-scene.ts';

t.test('unpaid invoices are counted by what becomes of them', async (t) => {
  const scene = await BillingScene.withInvoice(await sharedStripe(t), 'declines');
  const figures = () => unpaidFigures(scene.one.product.state.orgs);
  t.same(figures(), { open: 1, failed: 0 });
  for (let day = 0; day < 9; day++) {
    await scene.chargeAll();
    await scene.advance(dayMs);
  }
  t.same(figures(), { open: 0, failed: 1 });
  await scene.crash();
  t.same(figures(), { open: 0, failed: 1 }, 'after a start');
  await scene.connect('pays');
  await scene.chargeAll();
  t.same(figures(), { open: 0, failed: 0 });
});
