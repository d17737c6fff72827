// Pictures of an open `<engage-inbox>` against a real server: on a desk in both schemes, on a
// phone, and from right to left.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newContext, phone } from '../../../dashboard/support/browser.ts';
import { signatureOf } from '../../../dashboard/support/picture-signature.ts';
import { pixelsOf } from '../../../dashboard/support/png.ts';
import { fontFile } from '../../../dashboard/support/still-place.ts';
import type { DrawnPicture } from './drawn-messages.ts';
import { bell, inboxPath, items, keep, panel, says } from './inbox-page.ts';
import { openShop } from './shop.ts';

export const inboxFile = 'test/fixtures/inbox-pictures.json';

const desk = { width: 900, height: 620 };
const blockSide = 20;

export async function* drawnInboxes(t: Test): AsyncGenerator<DrawnPicture> {
  const folder = mkdtempSync(join(tmpdir(), 'engage-inbox-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const fonts = fontFile(folder);
  for (const [name, size, scheme, dir] of [
    ['light', desk, 'light', 'ltr'],
    ['dark', desk, 'dark', 'ltr'],
    ['phone', phone, 'light', 'ltr'],
    ['phone-rtl', phone, 'dark', 'rtl'],
  ] as const) {
    const context = await newContext(t, { size, scheme, fonts });
    const shop = await openShop(t, { browser: async () => context });
    const read = await keep(shop, { title: 'Winter boots are back', body: 'In all sizes.' }, 3);
    const buttons = [{ label: 'See them', url: `${shop.url}/` }, { label: 'Later' }];
    await keep(shop, { title: 'Your order left', body: 'Parcel A-1042.', buttons }, 2);
    await keep(shop, { title: 'חדש בחנות', body: 'Ein sehrlangeswort'.repeat(12) }, 1);
    const page = await shop.open({ path: inboxPath });
    await page.evaluate(`document.documentElement.dir = '${dir}'`);
    await page.evaluate(`Engage.inbox.markRead('${read}')`);
    await says(page, 2);
    await bell(page).click();
    await items(page).nth(2).waitFor();
    const bounds = await panel(page).boundingBox();
    t.ok(bounds && bounds.x >= 0 && bounds.x + bounds.width <= size.width, `${name}: whole`);
    t.ok(bounds && bounds.y >= 0 && bounds.y + bounds.height <= size.height, `${name}: whole`);
    const png = await page.screenshot();
    yield { name, page, png, drawn: signatureOf(pixelsOf(png), blockSide) };
  }
}
