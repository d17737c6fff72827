// `<engage-inbox>` in a real browser against a real server, under a strict policy: count, list,
// reading, archiving, two tabs, the keyboard and readers of screens. Its look: pictures.test.ts.

import t from 'tap';
import { axeFindings } from '../../dashboard/support/axe.ts';
import { needsBrowser } from '../../dashboard/support/browser.ts';
import { eventually } from '../../support/server.ts';
import { bell, inboxPath, items, keep, panel, says } from './support/inbox-page.ts';
import { openShop } from './support/shop.ts';

interface Counts {
  readonly read: number;
  readonly archived: number;
}

/** Where the focus is: the name of the part. */
const focused = `document.activeElement?.shadowRoot?.activeElement?.className
  ?? document.activeElement?.localName`;

t.test('count, open, read, archive, and two tabs agree', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const first = await keep(shop, { title: 'Shoes', body: 'In all sizes.' }, 2);
  const second = await keep(
    shop,
    { title: 'Boots', body: 'Last ones.', deepLink: `${shop.url}/inbox#boots` },
    1,
  );
  const page = await shop.open({ path: inboxPath });
  await says(page, 2);
  t.strictSame(await axeFindings(page), [], 'closed');
  const other = await shop.open({ path: inboxPath });
  await says(other, 2);
  await bell(page).click();
  await items(page).first().waitFor();
  t.strictSame(await items(page).locator('.title').allTextContents(), ['Boots', 'Shoes']);
  t.strictSame(await axeFindings(page), [], 'open');
  const link = panel(page).getByRole('link', { name: 'Preferences' });
  t.equal(await link.getAttribute('href'), `${shop.url}/settings`);

  await page.evaluate(`
    window.opened = [];
    addEventListener('engage-open', ({detail}) => window.opened.push(detail.message.title))`);
  await panel(page).getByRole('link', { name: /Boots/ }).click();
  t.equal(new URL(page.url()).hash, '#boots', 'the link of the message');
  t.strictSame(await page.evaluate('window.opened'), ['Boots']);
  for (const tab of [page, other]) await says(tab, 1);
  await panel(page).getByRole('button', { name: 'Archive: Shoes' }).click();
  for (const tab of [page, other]) await says(tab, 0);
  t.equal(await items(page).count(), 1);
  const counts = async (id: string) =>
    ((await shop.call(`GET /in-app-messages/${id}`)) as { readonly counts: Counts }).counts;
  // What a tab shows, it shows before the server has answered.
  await eventually(
    async () => (await counts(first)).archived === 1 || undefined,
    'the server has not heard of it',
  );
  t.match(await counts(first), { read: 0, archived: 1 });
  t.match(await counts(second), { read: 1, archived: 0 });
  await page.getByRole('button', { name: 'Archive: Boots' }).click();
  await panel(page).getByText('No messages yet').waitFor();
  t.strictSame(await axeFindings(page), [], 'empty');
  t.strictSame(await page.evaluate('window.refused'), [], 'the policy refused nothing');
  t.strictSame(await page.evaluate('window.problems ?? []'), []);
});

t.test('all are read by one click, which readers of screens hear', needsBrowser, async (t) => {
  const shop = await openShop(t);
  for (const title of ['One', 'Two', 'Three']) await keep(shop, { title, body: 'x' });
  const page = await shop.open({ path: inboxPath });
  await says(page, 3);
  const live = page.locator('engage-inbox [role="status"]');
  t.equal(await live.textContent(), '', 'nothing is said before something changes');
  await bell(page).click();
  await panel(page).getByRole('button', { name: 'Mark all as read' }).click();
  await says(page, 0);
  t.equal(await live.textContent(), 'Notifications: 0 unread');
  await keep(shop, { title: 'Four', body: 'x' });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await says(page, 1);
  t.equal(await live.textContent(), 'Notifications: 1 unread');
});

t.test('it is used by the keyboard alone', needsBrowser, async (t) => {
  const shop = await openShop(t);
  for (const [at, title] of ['Newest', 'Middle', 'Oldest'].entries())
    await keep(shop, { title, body: 'x' }, at);
  const page = await shop.open({ path: inboxPath });
  await says(page, 3);
  await bell(page).focus();
  await page.keyboard.press('Enter');
  await items(page).first().waitFor();
  t.equal(await page.evaluate(focused), 'heading', 'the focus is in the panel');
  const title = () =>
    page.evaluate(
      "document.activeElement.shadowRoot.activeElement.querySelector('.title')?.textContent",
    );
  await page.keyboard.press('ArrowDown');
  t.equal(await title(), 'Newest');
  await page.keyboard.press('End');
  t.equal(await title(), 'Oldest');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await says(page, 2);
  t.equal(await title(), 'Middle', 'the focus stays on what was read');
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate(focused), 'archive');
  await page.keyboard.press('Enter');
  await eventually(async () => (await items(page).count()) === 2 || undefined, 'not archived');
  t.equal(await title(), 'Oldest', 'the next one has the focus');
  await page.keyboard.press('Escape');
  t.equal(await panel(page).count(), 0);
  t.equal(await page.evaluate(focused), 'bell', 'the focus is back');
  t.equal(await bell(page).getAttribute('aria-expanded'), 'false');
  await bell(page).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  t.equal(await panel(page).count(), 0, 'a click beside it closes it');
});

t.test('hostile texts are texts, and links of other schemes are none', needsBrowser, async (t) => {
  const shop = await openShop(t);
  await keep(shop, {
    title: '"><img src=x onerror="window.harmed = 1">',
    body: '<script>window.harmed = 1</script> Read.',
    deepLink: 'shop://basket',
    buttons: [{ label: '<b>Buy</b>', url: 'shop://buy' }],
  });
  const page = await shop.open({ path: inboxPath });
  await bell(page).click();
  await items(page).first().waitFor();
  t.equal(await items(page).getByRole('link').count(), 0);
  await panel(page).getByRole('button', { name: '<b>Buy</b>' }).click();
  await says(page, 0);
  t.equal(page.url(), `${shop.url}${inboxPath}`);
  t.equal(await page.evaluate('window.harmed'), undefined);
  t.strictSame(await page.evaluate('window.refused'), []);
});

t.test('without a network it says so, and is there once it is back', needsBrowser, async (t) => {
  const shop = await openShop(t);
  await keep(shop, { title: 'Shoes', body: 'x' });
  const page = await shop.open({ path: inboxPath });
  await says(page, 1);
  await shop.context.setOffline(true);
  await bell(page).click();
  await panel(page).getByRole('button', { name: /Shoes/ }).first().click();
  await says(page, 0);
  await shop.context.setOffline(false);
  await shop.heardAtLeast('inbox_read', 1);
  const fresh = await shop.open({
    path: inboxPath,
    before: (one) => one.route('**/v1/sdk/feed**', (route) => route.abort()),
  });
  await bell(fresh).click();
  await panel(fresh).getByRole('button', { name: 'Try again' }).waitFor();
  await fresh.unroute('**/v1/sdk/feed**');
  await panel(fresh).getByRole('button', { name: 'Try again' }).click();
  await items(fresh).first().waitFor();
});
