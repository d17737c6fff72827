// The log warns the operator when a client workspace holds up an invoice.

import t from 'tap';
import { HeldInvoices } from '../../../actors/runtime/held-invoices.ts';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { BillingScene, sharedStripe } from '../tenants/billing/billing-scene.ts';

const february = Date.UTC(2026, 1);
const clientId = 'org_00000000000000000000000001';

t.test('a client that does not report is logged once a day, until it reports', async (t) => {
  const scene = await BillingScene.open(await sharedStripe(t));
  const lines: { readonly fields: object; readonly text: string }[] = [];
  const warn = (fields: object, text: string) => lines.push({ fields, text });
  const held = new HeldInvoices({ warn } as never);
  const look = async (atMs: number) => {
    await scene.advance(atMs - scene.clock.nowMs);
    held.look(scene.one.product.state, scene.clock.nowMs);
    return lines.length;
  };
  await scene.openClient(clientId);
  t.equal(await look(scene.clock.nowMs), 0);
  scene.isCut = true; // what the client says does not arrive
  const late = february + 20 * minuteMs;
  t.equal(await look(late - 1), 0, 'it may take a moment');
  t.equal(await look(late), 1);
  t.same(lines[0], {
    fields: { evt: 'invoice.held', org: 'org_00000000000000000000000000', count: 1 },
    text: `the invoice of 2026-01 waits for client workspaces that have not reported their usage: ${clientId}`,
  });
  t.equal(await look(late + dayMs - 1), 1);
  t.equal(await look(late + dayMs), 2, 'the next day');
  scene.isCut = false;
  await look(late + dayMs + hourMs);
  await look(late + dayMs + 2 * hourMs);
  t.equal((await scene.invoices()).length, 1);
  t.equal(await look(late + 3 * dayMs), 2);
});
