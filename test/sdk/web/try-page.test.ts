// The sandbox's page to try the web SDK, as a newcomer walks it: log in, subscribe the browser, get
// a push for real, see an in-app message and the inbox, and read the calls behind it.

import type { BrowserContext, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { axeFindings } from '../../dashboard/support/axe.ts';
import { desk, needsBrowser, newContext, phone } from '../../dashboard/support/browser.ts';
import { eventually, sharedServer } from '../../support/server.ts';
import { needsWholeBrowser, pushBrowser } from './support/push-browser.ts';

async function openPage(t: Test, context: BrowserContext, sandboxUrl: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
  await page.goto(`${sandboxUrl}/`);
  await page.getByRole('link', { name: 'Web SDK' }).click();
  await page.getByRole('heading', { name: 'Three lines' }).waitFor();
  return page;
}

const calls = (page: Page) =>
  page.getByRole('region', { name: 'HTTP calls of this page' }).locator('code').allTextContents();

const shownNow = `navigator.serviceWorker.getRegistration(new URL('/engage/', location.href))
  .then((registration) => registration?.getNotifications() ?? [])
  .then((shown) => shown.map(({title}) => title))`;

async function logIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText(/Logged in as visitor-/).waitFor();
}

t.test('a newcomer gets a push, a popup and an inbox message', needsWholeBrowser, async (t) => {
  const { sandboxUrl } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const context = await pushBrowser(t, sandboxUrl);
  await context.grantPermissions(['notifications'], { origin: sandboxUrl });
  const page = await openPage(t, context, sandboxUrl);
  await logIn(page);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText('This browser is subscribed.').waitFor();
  await page.getByRole('button', { name: 'A push' }).click();
  await page.getByText('The worker received “It works” and showed it.').waitFor();
  t.strictSame(await page.evaluate(shownNow), ['It works']);

  await page.getByRole('button', { name: 'An in-app message' }).click();
  await page.getByRole('dialog', { name: 'Hello from Engage' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'An inbox message' }).click();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('button', { name: /Kept for later A message that stays/ }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Set tag' }).click();
  await page.getByRole('button', { name: 'Track' }).click();
  await eventually(async () => {
    const found = await calls(page);
    const made = ['POST /v1/sdk/register', 'POST /v1/sdk/tags', 'POST /e', 'GET /v1/sdk/feed'];
    return made.every((line) => found.includes(line)) || undefined;
  }, 'the calls are not shown');
  t.ok((await calls(page)).some((line) => /^POST \/v1\/apps\/app_\w+\/notifications$/.test(line)));
});

t.test('it is readable by everybody, on a desk and a phone', needsBrowser, async (t) => {
  const { url, sandboxUrl } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  for (const [size, scheme] of [
    [desk, 'light'],
    [desk, 'dark'],
    [phone, 'light'],
    [phone, 'dark'],
  ] as const) {
    const what = `${size.width} ${scheme}`;
    const page = await openPage(t, await newContext(t, { size, scheme }), sandboxUrl);
    await logIn(page);
    await page.getByText(/--gcm-mcs-endpoint=/).waitFor();
    t.strictSame(await axeFindings(page), [], what);
    t.equal(
      await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      0,
      `${what}: nothing is cut off`,
    );
    const lines = await page.locator('.code-line pre').first().textContent();
    t.ok(lines?.includes(`import { Engage } from '${url}/sdk/v1/engage.js';`), 'of this server');
    const folder = process.env['ENGAGE_KEEP_PICTURES'];
    if (folder !== undefined)
      await page.screenshot({ path: `dist/try-${size.width}-${scheme}.png`, fullPage: true });
  }
});

t.test('the page and its worker belong to the sandbox that Engage started', async (t) => {
  const { url, sandboxUrl } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const page = await fetch(`${sandboxUrl}/try`);
  t.equal(page.status, 200);
  const policy = String(page.headers.get('content-security-policy'));
  t.ok(policy.includes(`script-src 'self' ${url};`), policy);
  t.notMatch(policy, /unsafe/);
  const worker = await (await fetch(`${sandboxUrl}/engage-sw.js`)).text();
  t.equal(worker, `importScripts('${url}/sdk/v1/sw.js');\n`);
  const send = (body: object, headers = {}) =>
    fetch(`${sandboxUrl}/control/try/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  t.equal((await send({ kind: 'mail', externalUserId: 'ada' })).status, 400);
  const foreign = { origin: 'https://evil.example' };
  t.equal((await send({ kind: 'push', externalUserId: 'ada' }, foreign)).status, 403);
  const unknown = await send({ kind: 'push', externalUserId: 'nobody-here' });
  t.equal(unknown.status, 502);
  t.match(await unknown.json(), { error: /nobody-here/ }, 'in the words of the API');
});
