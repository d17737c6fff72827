// A finger does not hover, so on a phone what is refused says why in words: an item of a menu in
// itself, a switch below it, and anything else when it is tapped.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';

/** Without best practice, which wants a landmark around a menu that stands above the page. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const reason = /does not allow making changes/;

async function reader(t: Test): Promise<{ place: Workplace; key: string }> {
  const place = await workplace(t, 'Refused');
  const made = await place.call('POST', '/v1/keys', { name: 'Reader', scopes: ['read'] });
  return { place, key: (made as { readonly key: string }).key };
}

/** Whether all of it lies on the screen. */
async function isOnScreen(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= phone.width;
}

/** Tips and news load as one after the first paint. */
async function mayTell(page: Page): Promise<void> {
  await page.locator('.toasts').waitFor({ state: 'attached' });
}

t.test('the items of a menu', needsBrowser, async (t) => {
  const { place, key } = await reader(t);
  const path = `/v1/apps/${place.appId}/segments`;
  await place.call('POST', path, { name: 'Pros', filter: { tag: 'plan', eq: 'pro' } });
  const { items } = (await place.call('GET', path)) as {
    readonly items: { readonly id: string }[];
  };
  for (const scheme of ['light', 'dark'] as const) {
    const page = await place.open(`segments/${items[0]?.id}`, { key, size: phone, scheme });
    await page.locator('.screen-head').getByRole('button', { name: 'More' }).tap();
    const item = page.getByRole('menuitem', { name: 'Delete' });
    await item.getByText(reason).waitFor();
    t.ok(await isOnScreen(page, '.popup'));
    t.strictSame(await axeFindings(page, wcag), [], scheme);
    await item.tap({ force: true });
    t.equal(await page.getByRole('dialog').count(), 0, 'it still is refused');
    await page.context().close();
  }
});

t.test('a switch, in its form and in a row', needsBrowser, async (t) => {
  const { place, key } = await reader(t);
  const path = `/v1/apps/${place.appId}/flags`;
  await place.call('POST', path, { key: 'new-checkout', enabled: true });
  const form = await place.open('flags/new-checkout', { key, size: phone });
  await form.getByText(reason).waitFor();
  t.strictSame(await axeFindings(form), []);

  const list = await place.open('flags', { key, size: phone, scheme: 'dark' });
  const toggle = list.getByRole('switch', { name: /new-checkout/ });
  t.notOk(await list.getByText(reason).isVisible(), 'a row has no place for it');
  await mayTell(list);
  await toggle.tap({ force: true });
  await list.locator('.tooltip').getByText(reason).waitFor();
  t.ok(await isOnScreen(list, '.tooltip'));
  t.strictSame(await axeFindings(list), []);
  t.ok(await toggle.isChecked(), 'it still is refused');
  t.match(await place.call('GET', `${path}/new-checkout`), { enabled: true });
  await list.getByRole('heading', { name: 'Flags' }).tap();
  await list.locator('.tooltip').waitFor({ state: 'detached' });
});

t.test('a button, when it is tapped', needsBrowser, async (t) => {
  const { place, key } = await reader(t);
  const page = await place.open('segments', { key, size: phone });
  await mayTell(page);
  await page.getByRole('button', { name: 'New segment' }).first().tap({ force: true });
  await page.locator('.tooltip').getByText(reason).waitFor();
  t.strictSame(await axeFindings(page), []);
});
