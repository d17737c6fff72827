// In-app messages that show themselves: one at a time, by priority, trigger and their own limits,
// readable by everybody, and with nothing of a text run as markup.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from '../../dashboard/support/axe.ts';
import { needsBrowser, phone } from '../../dashboard/support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';

interface Shown {
  readonly title: string;
  readonly body?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly object[];
  readonly display?: object;
  readonly priority?: number;
}

/** Makes a message and shows it to everybody; returns the id of the in-app message. */
async function offer(shop: Shop, { display, priority = 0, ...content }: Shown): Promise<string> {
  const { id: messageId } = (await shop.call('POST /messages', {
    name: content.title,
    body: 'In all sizes.',
    ...content,
  })) as { readonly id: string };
  const { id } = (await shop.call('POST /in-app-messages', { messageId, priority, display })) as {
    readonly id: string;
  };
  return id;
}

/** What the browser was told about notifications; without a window it says no by itself. */
const permission = (first: 'default' | 'denied') => (page: Page) =>
  page.addInitScript(
    `Object.defineProperty(Notification, 'permission', {get: () => window.permission ?? '${first}'})`,
  );

const box = (page: Page) => page.locator('engage-in-app .box');

const buttonAt = (page: Page, at: number) => page.locator('engage-in-app .action').nth(at);

t.test('a modal shows itself, is viewed, clicked and gone', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const id = await offer(shop, {
    title: 'Shoes',
    buttons: [{ id: 'buy', label: 'Buy' }],
    display: { kind: 'modal' },
  });
  const page = await shop.open();
  await box(page).waitFor();
  t.equal(await page.getByRole('dialog', { name: 'Shoes' }).count(), 1);
  t.strictSame(await axeFindings(page), []);
  const [viewed] = await shop.heardAtLeast('inapp_viewed', 1);
  t.equal((viewed as { messageId?: string } | undefined)?.messageId, id);
  await page.getByRole('button', { name: 'Buy' }).click();
  const [clicked] = await shop.heardAtLeast('inapp_clicked', 1);
  t.match(clicked, { messageId: id, props: { button: 'buy' } });
  t.equal(await box(page).count(), 0);
});

t.test(
  'one at a time, the most important first; a dismissed one stays away',
  needsBrowser,
  async (t) => {
    const shop = await openShop(t);
    await offer(shop, { title: 'Second', display: { kind: 'card' }, priority: 1 });
    await offer(shop, { title: 'First', display: { kind: 'modal' }, priority: 2 });
    await offer(shop, { title: 'Mine', display: { kind: 'none' }, priority: 3 });
    const page = await shop.open();
    await page.getByRole('heading', { name: 'First' }).waitFor();
    t.equal(await box(page).count(), 1);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Close' }).click();
    await shop.heardAtLeast('inapp_dismissed', 2);
    await page.reload();
    await page.evaluate(`Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
    await page.evaluate('Engage.inApp.refresh()');
    t.equal(await box(page).count(), 0);
  },
);

t.test(
  'a trigger waits for its event and its values; maxShows counts pages',
  needsBrowser,
  async (t) => {
    const shop = await openShop(t);
    const trigger = { event: 'cart_viewed', where: { items: 2 } };
    await offer(shop, { title: 'Cart', display: { kind: 'banner', trigger, maxShows: 1 } });
    const page = await shop.open();
    await page.evaluate('Engage.inApp.refresh()');
    await page.evaluate("Engage.track('cart_viewed', {items: 1})");
    t.equal(await box(page).count(), 0);
    await page.evaluate("Engage.track('cart_viewed', {items: 2})");
    await page.getByRole('heading', { name: 'Cart' }).waitFor();
    t.equal(await page.getByRole('status').count(), 1, 'is read out');
    t.strictSame(await axeFindings(page), []);
    await page.reload();
    await page.evaluate(`Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
    await page.evaluate('Engage.inApp.refresh()');
    await page.evaluate("Engage.track('cart_viewed', {items: 2})");
    t.equal(await box(page).count(), 0, 'once on this device');
  },
);

t.test('a site may show it in its own way, or nothing for a while', needsBrowser, async (t) => {
  const shop = await openShop(t);
  await offer(shop, { title: 'Shoes', display: { kind: 'modal' } });
  const page = await shop.open({ isWithoutInit: true });
  await page.evaluate(`
    window.own = [];
    Engage.inApp.on('show', (message) => (window.own.push(message.title), false));
    Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
  await page.waitForFunction('window.own.length === 1');
  t.equal(await box(page).count(), 0);
});

t.test('hostile texts are texts, under a strict policy too', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const title = '"><img src=x onerror="window.harmed = 1">';
  await offer(shop, {
    title,
    body: '<script>window.harmed = 1</script> In all sizes.',
    buttons: [{ label: '<b>Buy</b>', url: 'shop://basket' }],
    display: { kind: 'modal' },
  });
  const page = await shop.open({ path: '/strict' });
  await box(page).waitFor();
  await page.locator('engage-in-app button.action').click();
  t.equal(await page.evaluate('window.harmed'), undefined);
  t.strictSame(await page.evaluate('window.refused'), []);
  t.equal(page.url(), `${shop.url}/strict`, 'an address of another scheme is not opened');
});

t.test(
  'in the dark, on a phone and from right to left nothing is cut off',
  needsBrowser,
  async (t) => {
    for (const kind of ['modal', 'banner', 'card', 'push-prompt']) {
      const shop = await openShop(t);
      await offer(shop, {
        title: 'חדש בחנות',
        body: 'Ein sehrlangeswortohneleerzeichen'.repeat(12),
        buttons: [{ label: 'כן' }, { label: 'לא' }],
        display: { kind },
      });
      const page = await shop.open({ isWithoutInit: true, before: permission('default') });
      await page.setViewportSize(phone);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate("document.documentElement.dir = 'rtl'");
      await page.evaluate(`Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
      await box(page).waitFor();
      const bounds = await box(page).boundingBox();
      t.ok(bounds && bounds.x >= 0 && bounds.x + bounds.width <= phone.width, kind);
      t.ok(bounds && bounds.y >= 0 && bounds.y + bounds.height <= phone.height, kind);
      t.strictSame(await axeFindings(page), [], kind);
    }
  },
);

t.test('a prompt for push stays away from a browser that was told no', needsBrowser, async (t) => {
  const shop = await openShop(t);
  await offer(shop, { title: 'News?', display: { kind: 'push-prompt' }, priority: 2 });
  await offer(shop, { title: 'Shoes', display: { kind: 'card' }, priority: 1 });
  const page = await shop.open({ before: permission('denied') });
  await page.getByRole('heading', { name: 'Shoes' }).waitFor();
  await page.evaluate("window.permission = 'default'");
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'News?' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Allow' }).count(), 1, 'a yes of its own');
});

t.test('nothing hostile in any field runs, breaks out or leads away', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const hostile = '"><svg/onload=harmed=1>{{1}}\u202e</style><script>harmed=1</script>';
  const script = 'javascript:window.harmed=1';
  const message = {
    id: hostile,
    title: hostile,
    body: `${hostile}\n`.repeat(40),
    image: script,
    deepLink: ' java\nscript:window.harmed=1',
    buttons: [
      { id: hostile, label: hostile, url: script },
      { label: '', url: `data:text/html,${hostile}` },
      { label: 'vbscript', url: 'vbscript:harmed' },
    ],
    data: { __proto__: null, constructor: hostile },
    priority: 1,
    since: hostile,
    endAt: hostile,
    display: { kind: 'card', position: hostile, maxShows: 9 },
  };
  const later = { ...message, id: 'later', buttons: [], priority: 0 };
  const feed = { messages: [message, later], inbox: { items: [], unread: 0, nextCursor: null } };
  const branding = { accentColor: 'red;} * {display: none', name: hostile, logoUrl: script };
  const page = await shop.open({
    path: '/strict',
    async before(fresh) {
      const headers = { 'access-control-allow-origin': '*' };
      await fresh.route('**/v1/sdk/feed?*', (route) => route.fulfill({ headers, json: feed }));
      await fresh.route('**/v1/sdk/app/*', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ headers, json: { ...(await answer.json()), branding } });
      });
    },
  });
  await box(page).waitFor();
  t.equal(await page.locator('engage-in-app img').count(), 0, 'no picture of a script');
  t.equal(await page.locator('engage-in-app svg, engage-in-app script').count(), 0);
  for (const at of [0, 1, 2]) t.equal(await buttonAt(page, at).count(), 1);
  await buttonAt(page, 2).click();
  await page.locator('engage-in-app .texts').waitFor();
  t.equal(await page.locator('engage-in-app a').count(), 0, 'no link to a script');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.waitForFunction("document.querySelector('engage-in-app') === null");
  t.equal(page.url(), `${shop.url}/strict`);
  t.equal(await page.evaluate('window.harmed'), undefined);
  t.strictSame(await page.evaluate('window.refused'), []);
  const [dismissed] = await shop.heardAtLeast('inapp_dismissed', 1);
  t.equal((dismissed as { messageId?: string } | undefined)?.messageId, 'later');
});
