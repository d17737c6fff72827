// Events in a real browser: none lost and none twice, counted at the server, whatever happens to
// the page, its storage, its clock and its network.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { needsBrowser } from '../../dashboard/support/browser.ts';
import { type HeardEvent, openShop, type Shop } from './support/shop.ts';

/** Calls `track` so often at once; resolves once all are stored. */
function trackAll(page: Page, name: string, count: number): Promise<readonly string[]> {
  return page.evaluate(
    `Promise.all(Array.from({length: ${count}}, (_, n) => Engage.track('${name}', {n})))`,
  );
}

/** Each of the events once, and all of one person. */
function eachOnce(t: Test, events: readonly HeardEvent[], ids: readonly string[]): void {
  t.strictSame(events.map(({ id }) => id).sort(), [...ids].sort(), 'each event once');
  t.equal(new Set(events.map(({ subscriberId }) => subscriberId)).size, 1, 'of one person');
}

async function problemsOf(page: Page): Promise<readonly { code: string; message: string }[]> {
  return page.evaluate('window.problems ?? []');
}

/** Nothing more arrives: the queue is empty. */
async function settled(shop: Shop): Promise<void> {
  const page = await shop.open();
  await page.evaluate('Engage.flush()');
  await page.close();
}

t.test(
  'a page tracks what an anonymous person does, and then who that is',
  needsBrowser,
  async (t) => {
    const shop = await openShop(t);
    const page = await shop.open();
    const before = await trackAll(page, 'looked', 3);
    const user = await page.evaluate("Engage.login('ada')");
    const after = await trackAll(page, 'looked', 3);
    await page.evaluate('Engage.flush()');
    const events = await shop.heardAtLeast('looked', 6);
    eachOnce(t, events, [...before, ...after]);
    t.match(user, { externalUserId: 'ada', subscriberId: /^sub_/ });
    t.ok(events.every(({ externalUserId }) => externalUserId === 'ada'));
    t.strictSame(await shop.context.cookies(), [], 'no cookies');
    t.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    t.strictSame(await problemsOf(page), []);
  },
);

t.test('a script tag does the same, with calls from before it loaded', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open({ path: '/tag', isWithoutInit: true });
  const ids = await trackAll(page, 'by tag', 2);
  await page.evaluate('Engage.flush()');
  eachOnce(t, await shop.heardAtLeast('by tag', 2), ids);
});

t.test('200 events survive a tab that closes', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open();
  await page.evaluate('Engage.user()');
  const ids = await trackAll(page, 'closing', 200);
  await page.close({ runBeforeUnload: false });
  await settled(shop);
  eachOnce(t, await shop.heardAtLeast('closing', 200), ids);
});

t.test('200 events survive a tab that crashes before it has a person', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open();
  await shop.context.setOffline(true);
  const ids = await trackAll(page, 'crashing', 200);
  const debug = await shop.context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  debug.send('Page.crash').catch(() => undefined); // it never answers
  await crashed;
  await page.close();
  await shop.context.setOffline(false);
  await settled(shop);
  eachOnce(t, await shop.heardAtLeast('crashing', 200), ids);
});

t.test('events wait while the network is away, and go when it is back', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open();
  await shop.context.setOffline(true);
  const ids = await trackAll(page, 'offline', 30);
  await page.evaluate('Engage.flush()');
  t.strictSame(await shop.heard('offline'), []);
  await shop.context.setOffline(false);
  eachOnce(t, await shop.heardAtLeast('offline', 30), ids);
});

t.test('two tabs send the events of both once', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const [one, other] = [await shop.open(), await shop.open()];
  const all = await Promise.all([
    trackAll(one, 'both', 100),
    trackAll(other, 'both', 100),
    one.evaluate('Engage.flush()').then(() => []),
    other.evaluate('Engage.flush()').then(() => []),
  ]);
  await other.close();
  eachOnce(t, await shop.heardAtLeast('both', 200), all.flat() as string[]);
});

t.test('a logout in one tab is one in the other', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const [one, other] = [await shop.open(), await shop.open()];
  await one.evaluate("Engage.login('ada')");
  t.match(await other.evaluate('Engage.user()'), { externalUserId: 'ada' });
  await one.evaluate('Engage.logout()');
  await other.evaluate("Engage.track('later')");
  await other.evaluate('Engage.flush()');
  const [event] = await shop.heardAtLeast('later', 1);
  t.equal(event?.externalUserId, null);
});

t.test('a clock that is set back, or days ahead, loses nothing', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open({
    before: (fresh) =>
      fresh.addInitScript(
        'window.skew = 0; const real = Date.now.bind(Date); Date.now = () => real() + window.skew;',
      ),
  });
  await page.evaluate('window.skew = 5 * 86400e3');
  const ahead = await trackAll(page, 'skewed', 5);
  await page.evaluate('Engage.flush()');
  await page.evaluate('window.skew = 5 * 86400e3');
  const later = await trackAll(page, 'skewed', 5);
  await page.evaluate('window.skew = -400 * 86400e3');
  await page.evaluate('Engage.flush()');
  const behind = await trackAll(page, 'skewed', 5);
  await page.evaluate('Engage.flush()');
  const events = await shop.heardAtLeast('skewed', 15);
  eachOnce(t, events, [...ahead, ...later, ...behind]);
  for (const { at } of events)
    t.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000, `an event of now is at ${at}`);
  t.strictSame(await problemsOf(page), []);
});

t.test('a full disk keeps events as long as the page is there', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open();
  await page.evaluate(`IDBObjectStore.prototype.put = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  }`);
  const ids = await trackAll(page, 'full', 50);
  await page.evaluate('Engage.flush()');
  t.ok((await problemsOf(page)).some(({ code }) => code === 'not_stored'));
  eachOnce(t, await shop.heardAtLeast('full', 50), ids);
});

for (const [how, script] of [
  [
    'throws',
    'Object.defineProperty(window, "indexedDB", {get() { throw new DOMException("no", "SecurityError"); }})',
  ],
  [
    'fails',
    'indexedDB.open = () => { const asked = {}; setTimeout(() => asked.onerror?.()); return asked; }',
  ],
] as const)
  t.test(`an IndexedDB that ${how} leaves memory`, needsBrowser, async (t) => {
    const shop = await openShop(t);
    const page = await shop.open({ before: (fresh) => fresh.addInitScript(script) });
    const ids = await trackAll(page, how, 40);
    t.match(await page.evaluate("Engage.login('ada')"), { externalUserId: 'ada' });
    await page.evaluate('Engage.flush()');
    eachOnce(t, await shop.heardAtLeast(how, 40), ids);
  });

t.test('without workers, push and locks the rest works', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const script = `
    for (const name of ['PushManager', 'Notification', 'ServiceWorkerContainer'])
      delete window[name];
    for (const name of ['serviceWorker', 'locks']) {
      Object.defineProperty(Navigator.prototype, name, {get: () => undefined});
    }`;
  const page = await shop.open({ before: (fresh) => fresh.addInitScript(script) });
  const ids = await trackAll(page, 'bare', 3);
  await page.evaluate('Engage.flush()');
  eachOnce(t, await shop.heardAtLeast('bare', 3), ids);
  t.equal(await page.evaluate('Engage.push.support()'), 'unsupported');
  t.equal(await page.evaluate('Engage.push.permission()'), 'denied');
  for (const call of ['subscribe', 'unsubscribe'])
    t.equal(await page.evaluate(`Engage.push.${call}().catch(({code}) => code)`), 'unsupported');
  t.strictSame(await problemsOf(page), []);
});

t.test('a strict policy with Trusted Types refuses nothing', needsBrowser, async (t) => {
  const shop = await openShop(t);
  const page = await shop.open({ path: '/strict' });
  const ids = await trackAll(page, 'strict', 3);
  await page.evaluate('Engage.flush()');
  eachOnce(t, await shop.heardAtLeast('strict', 3), ids);
  t.strictSame(await page.evaluate('window.refused'), []);
});

t.test(
  'before consent nothing is sent or stored, and after it is taken back nothing is left',
  needsBrowser,
  async (t) => {
    const shop = await openShop(t);
    const page = await shop.open({ isWithoutInit: true });
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await page.evaluate(
      `Engage.init({appId: '${shop.appId}', baseUrl: '${shop.engageUrl}', consent: 'pending'})`,
    );
    const refused = await page.evaluate("Engage.track('early').catch(({code}) => code)");
    t.equal(refused, 'no_consent');
    t.strictSame(calls, []);
    t.strictSame(await page.evaluate('indexedDB.databases()'), []);
    await page.evaluate('Engage.setConsent(true)');
    const ids = await trackAll(page, 'agreed', 2);
    await page.evaluate('Engage.flush()');
    eachOnce(t, await shop.heardAtLeast('agreed', 2), ids);
    await page.evaluate('Engage.setConsent(false)');
    t.equal(await page.evaluate("Engage.track('late').catch(({code}) => code)"), 'no_consent');
    t.strictSame(await page.evaluate('indexedDB.databases()'), []);
  },
);
