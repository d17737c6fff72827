// Sessions while pages are open: a fresh sign-in that keeps what was typed, a role that changes, an
// end that reaches every tab, a planted cookie.

import type { Route } from 'playwright-core';
import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { mailedFragment, openLink, signInByMail } from './support/sign-in.ts';

const refusedOnce = { code: 'sign_in_again', error: 'sign in again: this needs a recent sign-in' };

t.test(
  'a sensitive act asks for the key again and keeps what was typed',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'Recent');
    const page = await place.open('/org/team?tab=keys', {
      expects: /403/,
      before: async (page) => {
        // The list has parameters, so only the first try meets this.
        const refuse = (route: Route) => route.fulfill({ status: 403, json: refusedOnce });
        await page.route('**/v1/keys', refuse, { times: 1 });
      },
    });
    await page.getByRole('row', { name: /first key/ }).waitFor();
    await page.keyboard.press('c');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Shop backend');
    await page.keyboard.press('Enter');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('API key').fill(place.key);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    t.equal(await name.inputValue(), 'Shop backend');
    await name.press('Enter');
    await page.getByRole('dialog', { name: 'The key Shop backend is ready' }).waitFor();
  },
);

t.test('a link opened in another tab signs the first one in again', needsBrowser, async (t) => {
  const place = await workplace(t, 'Tabs');
  const email = `ada-${Date.now()}@tabs.example`;
  await place.call('POST', '/v1/org/members', { email, role: 'owner' });
  const page = await place.open('/', { isSignedOut: true, expects: /40[13]/ });
  const first = await signInByMail(page, place, email);
  await page.goto(`${place.url}/dashboard/org/team`);
  await page.getByRole('row', { name: new RegExp(email) }).waitFor();
  await page.route(
    '**/v1/org/members',
    (route) => route.fulfill({ status: 403, json: refusedOnce }),
    { times: 1 },
  );
  await page.keyboard.press('c');
  const typed = page.getByRole('textbox', { name: 'Email' });
  await typed.fill('ben@tabs.example');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('button', { name: 'Send' }).press('Enter');
  await again.getByText('We sent you a link').waitFor();

  const other = await page.context().newPage();
  await openLink(other, place, await mailedFragment(place, email, first), email);
  await page.bringToFront();
  await again.waitFor({ state: 'detached' });
  t.equal(await typed.inputValue(), 'ben@tabs.example');
  await typed.press('Enter');
  await page.getByRole('row', { name: /ben@tabs\.example/ }).waitFor();
});

t.test(
  'a role that changes while a page is open ends it, and the new role holds',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'Roles');
    const email = `eva-${Date.now()}@roles.example`;
    const was = (await place.call('POST', '/v1/org/members', { email, role: 'owner' })) as {
      readonly id: string;
    };
    const page = await place.open('/', { isSignedOut: true, expects: /401/ });
    const first = await signInByMail(page, place, email);
    await page.goto(`${place.url}/dashboard/org/team`);
    const row = page.getByRole('row', { name: new RegExp(email) });
    await row.getByRole('button', { name: /^Actions/ }).click();
    const change = page.getByRole('menuitem', { name: 'Change role' });
    t.equal(await change.getAttribute('aria-disabled'), 'true', 'not one’s own role');
    await page.keyboard.press('Escape');

    await place.call('DELETE', `/v1/org/members/${was.id}`);
    await place.call('POST', '/v1/org/members', { email, role: 'viewer' });
    await page.getByRole('tab', { name: 'Sign-ins' }).click();
    await page.getByText('Your session ended').waitFor();
    t.match(page.url(), 'tab=sign-ins', 'the address stays');

    await signInByMail(page, place, email, first);
    await page.goto(`${place.url}/dashboard/org/clients`);
    const create = page.getByRole('button', { name: 'Create client' });
    await create.waitFor();
    t.equal(await create.getAttribute('aria-disabled'), 'true', 'a viewer creates nothing');
  },
);

t.test('an ended session ends in every tab and page at once', needsBrowser, async (t) => {
  const place = await workplace(t, 'Ended');
  const page = await place.open('activity', { expects: /401/ });
  const second = await page.context().newPage();
  await second.goto(`${place.url}/dashboard/${place.appId}/events`);
  await second.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  const { items } = (await place.call('GET', '/v1/org/sessions')) as {
    readonly items: readonly { readonly id: string }[];
  };
  for (const { id } of items) await place.call('DELETE', `/v1/org/sessions/${id}`);
  for (const one of [page, second]) await one.getByText('Your session ended').waitFor();
  t.pass('both say so, and neither was touched');
});

t.test('a planted session is not the one that a sign-in makes', needsBrowser, async (t) => {
  const place = await workplace(t, 'Fixed');
  const page = await place.open('/', { isSignedOut: true, expects: /401/ });
  const planted = `es_${'0'.repeat(12)}_${'A'.repeat(43)}`;
  await page.context().addCookies([{ name: 'engage', value: planted, url: place.url }]);
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with an API key' }).click();
  await page.getByLabel('API key').fill(place.key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const [cookie] = await page.context().cookies(place.url);
  t.match(cookie, { name: 'engage', httpOnly: true, sameSite: 'Strict' });
  t.not(cookie?.value, planted);
  const stale = await fetch(`${place.url}/v1/org`, {
    headers: { cookie: `engage=${planted}`, 'sec-fetch-site': 'same-origin' },
  });
  t.equal(stale.status, 401);
});
