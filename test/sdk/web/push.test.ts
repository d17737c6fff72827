// A push for real: the browser subscribes, a campaign is sent through the API, the server encrypts,
// the browser decrypts and shows, a click is reported, and the campaign's funnel says so. Only the
// browser's vendor is stood in.

import type { Page, Worker } from 'playwright-core';
import t from 'tap';
import { eventually, until } from '../../support/server.ts';
import { needsWholeBrowser, pushBrowser } from './support/push-browser.ts';
import { openShop, type Shop } from './support/shop.ts';

async function pushShop(t: Parameters<typeof openShop>[0]) {
  const shop = await openShop(t, { browser: (sandboxUrl) => pushBrowser(t, sandboxUrl) });
  await shop.context.grantPermissions(['notifications'], { origin: shop.url });
  return shop;
}

interface Device {
  readonly id: string;
  readonly channel: string;
  readonly endpoint: { readonly endpoint: string };
}

async function devicesOf(shop: Shop, externalUserId: string): Promise<readonly Device[]> {
  const { items } = (await shop.call(`GET /subscribers?externalUserId=${externalUserId}`)) as {
    readonly items: readonly { readonly devices: readonly Device[] }[];
  };
  return items[0]?.devices ?? [];
}

/** Sends a campaign to everybody; returns its id. */
async function send(shop: Shop, content: object): Promise<string> {
  const { id: messageId } = (await shop.call('POST /messages', {
    name: 'news',
    ...content,
  })) as { readonly id: string };
  const { id } = (await shop.call('POST /campaigns', {
    name: 'news',
    messageId,
    channels: ['webpush'],
  })) as { readonly id: string };
  await shop.call(`POST /campaigns/${id}/send`, { delaySeconds: 0 });
  return id;
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

/** In the page: what its browser shows. */
const shownNow = `navigator.serviceWorker.getRegistration(new URL('/engage/', location.href))
  .then((registration) => registration?.getNotifications() ?? [])
  .then((shown) => shown.map(({title, body, actions}) => ({
    title, body, actions: actions.map(({action, title}) => ({action, title})),
  })))`;

function shownIn(page: Page): Promise<readonly Shown[]> {
  return page.evaluate(shownNow);
}

interface Content {
  readonly title: string;
  readonly body: string;
  readonly deepLink?: string;
  readonly buttons?: readonly object[];
}

/** Sends; resolves to the campaign's id once the page heard that the worker has shown it. */
async function sendHeard(shop: Shop, page: Page, content: Content): Promise<string> {
  const heard = () => page.evaluate('window.heard') as Promise<readonly string[]>;
  await page.evaluate(
    "window.heard = []; Engage.push.on('received', ({message}) => window.heard.push(message.title))",
  );
  const id = await send(shop, content);
  await until(async () => (await heard()).includes(content.title), 'no push arrived', 30_000);
  return id;
}

const sendsMax = 4;

/**
 * Sends until the browser lists one more notification. A Chromium without a screen forgets one now
 * and then that its worker has shown, most often its first.
 */
async function sendShown(shop: Shop, page: Page, content: Content): Promise<string> {
  const before = (await shownIn(page)).length;
  for (let sends = 0; sends < sendsMax; sends++) {
    const id = await sendHeard(shop, page, content);
    if ((await shownIn(page)).length > before) return id;
  }
  throw new Error('the browser lists no notification');
}

function workerOf(shop: Shop): Promise<Worker> {
  const [running] = shop.context.serviceWorkers();
  return running === undefined
    ? shop.context.waitForEvent('serviceworker')
    : Promise.resolve(running);
}

/** What the browser does when a person acts on the first notification that is shown. */
async function act(shop: Shop, kind: string, action = ''): Promise<void> {
  const worker = await workerOf(shop);
  await worker.evaluate(
    async ([name, pressed]) => {
      const scope = globalThis as unknown as {
        registration: { getNotifications(): Promise<unknown[]> };
        dispatchEvent(event: Event): void;
        NotificationEvent: new (name: string, options: object) => Event;
      };
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(
        new scope.NotificationEvent(name as string, { notification, action: pressed }),
      );
    },
    [kind, action],
  );
}

t.test('a campaign reaches a browser, and a click its funnel', needsWholeBrowser, async (t) => {
  const shop = await pushShop(t);
  const page = await shop.open();
  await page.evaluate("Engage.login('ada')");
  t.equal(await page.evaluate('Engage.push.isSupported()'), true);
  await page.evaluate(`
    window.news = [];
    for (const name of ['received', 'clicked', 'dismissed'])
      Engage.push.on(name, ({push, message}) => window.news.push(push + ' ' + message.title));
    Engage.push.subscribe()`);
  t.equal(await page.evaluate('Engage.push.permission()'), 'granted');
  const [device] = await devicesOf(shop, 'ada');
  t.match(device, { channel: 'webpush', endpoint: { endpoint: /^https:\/\/[\w.]+\/fcm\/send\// } });

  const campaign = await sendShown(shop, page, {
    title: 'New shoes',
    body: 'Come & see them: 1 < 2.',
    deepLink: `${shop.url}/`,
    buttons: [
      { id: 'buy', label: 'Buy', url: `${shop.url}/` },
      { id: 'later', label: 'Later' },
    ],
  });
  t.match(await shownIn(page), [
    {
      title: 'New shoes',
      body: 'Come & see them: 1 < 2.',
      actions: [
        { action: 'buy', title: 'Buy' },
        { action: 'later', title: 'Later' },
      ],
    },
  ]);
  await page.waitForFunction("window.news.includes('received New shoes')");

  await act(shop, 'notificationclick', 'buy');
  await page.waitForFunction("window.news.includes('clicked New shoes')");
  const clicks = await shop.heardAtLeast('clicked', 1);
  t.equal(clicks.length, 1);
  t.match(clicks[0], { externalUserId: 'ada', sendId: /./, props: { action: 'buy' } });
  const stats = await eventually(
    async () => {
      const found = (await shop.call(`GET /campaigns/${campaign}/stats`)) as {
        readonly clicked: number;
      };
      return found.clicked > 0 ? found : undefined;
    },
    'the funnel says no click',
    30_000,
  );
  t.match(stats, { sent: 1, clicked: 1 });
  t.strictSame(await page.evaluate('window.problems ?? []'), []);
});

t.test('a dismissed notification is reported', needsWholeBrowser, async (t) => {
  const shop = await pushShop(t);
  const page = await shop.open();
  await page.evaluate("Engage.login('ada')");
  await page.evaluate('Engage.push.subscribe()');
  await sendShown(shop, page, { title: 'Boots', body: 'New ones.', deepLink: 'shop://boots' });
  await act(shop, 'notificationclick');
  await shop.heardAtLeast('clicked', 1);
  t.equal(shop.context.pages().length, 2, 'an address that is none of the web opens nothing');
  await sendShown(shop, page, { title: 'Boots', body: 'Last ones.' });
  await act(shop, 'notificationclose');
  const [event] = await shop.heardAtLeast('dismissed', 1);
  t.match(event, { externalUserId: 'ada' });
});

t.test('the server follows the subscription', needsWholeBrowser, async (t) => {
  const shop = await pushShop(t);
  const page = await shop.open();
  await page.evaluate("Engage.login('ada')");
  await page.evaluate('Engage.push.subscribe()');
  const [first] = await devicesOf(shop, 'ada');
  await page.evaluate('Engage.push.subscribe()');
  t.strictSame(await devicesOf(shop, 'ada'), [first], 'a second call changes nothing');

  // A key of another app, as after the site moved here.
  await page.evaluate(`(async () => {
    const scope = new URL('/engage/', location.href);
    const {pushManager} = await navigator.serviceWorker.getRegistration(scope);
    await (await pushManager.getSubscription()).unsubscribe();
    const {publicKey} = await crypto.subtle.generateKey(
      {name: 'ECDH', namedCurve: 'P-256'}, true, ['deriveBits']);
    const applicationServerKey = await crypto.subtle.exportKey('raw', publicKey);
    await pushManager.subscribe({userVisibleOnly: true, applicationServerKey});
  })()`);
  await page.reload();
  await page.evaluate(`Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
  const second = await eventually(
    async () => {
      const devices = await devicesOf(shop, 'ada');
      return devices.find(({ endpoint }) => endpoint.endpoint !== first?.endpoint.endpoint);
    },
    'the new subscription is not registered',
    30_000,
  );
  await sendHeard(shop, page, { title: 'After the move', body: 'Still here.' });

  const worker = await workerOf(shop);
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: { pushManager: { getSubscription(): Promise<{ unsubscribe(): unknown }> } };
      dispatchEvent(event: Event): void;
      ExtendableEvent: new (name: string) => Event;
    };
    await (await scope.registration.pushManager.getSubscription()).unsubscribe();
    scope.dispatchEvent(new scope.ExtendableEvent('pushsubscriptionchange'));
  });
  await eventually(
    async () => {
      const devices = await devicesOf(shop, 'ada');
      const known = [first?.endpoint.endpoint, second.endpoint.endpoint];
      return devices.find(({ endpoint }) => !known.includes(endpoint.endpoint));
    },
    'the worker registered no new subscription',
    30_000,
  );

  await page.evaluate('Engage.logout()');
  await page.evaluate('Engage.user()');
  await page.evaluate('Engage.flush()');
  const left = await devicesOf(shop, 'ada');
  const current = await page.evaluate(`navigator.serviceWorker
    .getRegistration(new URL('/engage/', location.href))
    .then(({pushManager}) => pushManager.getSubscription()).then(({endpoint}) => endpoint)`);
  t.notOk(
    left.some(({ endpoint }) => endpoint.endpoint === current),
    'after a logout the browser is nobody of before',
  );
});

t.test('a prompt of ours asks first, and its button subscribes', needsWholeBrowser, async (t) => {
  const shop = await pushShop(t);
  const { id: messageId } = (await shop.call('POST /messages', {
    name: 'prompt',
    title: 'News of your orders?',
    body: 'At most one a day.',
    deepLink: `${shop.url}/strict`,
    buttons: [{ id: 'yes', label: 'Yes, please' }, { label: 'Later' }],
  })) as { readonly id: string };
  const display = { kind: 'push-prompt' };
  await shop.call('POST /in-app-messages', { messageId, display });
  const page = await shop.open({ path: '/strict-push' });
  await page.evaluate("Engage.login('ada')");
  t.strictSame(await devicesOf(shop, 'ada'), []);
  await page.getByRole('button', { name: 'Yes, please' }).click();
  const [device] = await eventually(
    async () => {
      const found = await devicesOf(shop, 'ada');
      return found.length > 0 ? found : undefined;
    },
    'no subscription after the prompt',
    30_000,
  );
  t.equal(device?.channel, 'webpush');
  await shop.heardAtLeast('inapp_clicked', 1);
  t.strictSame(await page.evaluate('window.refused'), [], 'under a strict policy');
  await sendHeard(shop, page, { title: 'On its way', body: 'Your order.' });

  await page.reload();
  await page.evaluate(`Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}'})`);
  await page.evaluate('Engage.inApp.refresh()');
  t.equal(await page.locator('engage-in-app').count(), 0, 'who has push is not asked again');

  await page.evaluate('Engage.reset()');
  const left = await page.evaluate(`navigator.serviceWorker
    .getRegistration(new URL('/engage/', location.href))
    .then(({pushManager}) => pushManager.getSubscription())`);
  t.equal(left, null, 'reset ends the subscription');
});
