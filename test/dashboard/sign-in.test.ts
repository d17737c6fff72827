// The door of the dashboard: by an API key, by an emailed link, ended sessions, used links.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const unauthorized = /status of 401/;

t.test('an API key signs in, and stays nowhere in the page', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('/', { isSignedOut: true });
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Sign in with an API key' }).click();
  await page.getByLabel('API key').fill(place.key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  t.match(page.url(), `/dashboard/${place.appId}/home`);
  const kept = await page.evaluate('JSON.stringify([document.body.outerHTML, {...localStorage}])');
  t.notMatch(kept, place.key.slice(-20));
  t.equal(await page.evaluate('document.cookie'), '', 'scripts cannot read the cookie');
});

t.test('a wrong key says so and keeps what was typed', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('/', { isSignedOut: true, expects: unauthorized });
  await page.getByRole('button', { name: 'Sign in with an API key' }).click();
  await page.getByLabel('API key').fill('ek_wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  t.equal(await page.getByLabel('API key').inputValue(), 'ek_wrong');
});

t.test('an emailed link names who signs in where, and works once', needsBrowser, async (t) => {
  const place = await workplace(t);
  const email = `ada-${Date.now()}@acme.example`;
  await place.call('POST', '/v1/org/members', { email, role: 'viewer' });
  const page = await place.open('/', { isSignedOut: true, size: phone, expects: unauthorized });
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('we sent a link to it').waitFor();
  const link = await eventually(async () => {
    const found = await fetch(
      `${place.sandboxUrl}/control/messages?to=${encodeURIComponent(email)}`,
    );
    return /dashboard#link=[\w-]{43}/.exec(await found.text())?.[0];
  }, 'no mail with a link');
  await page.goto(`${place.url}/${link}`);
  await page.reload(); // the same page with another fragment is not loaded again
  await page.getByText(`Sign in to Acme as ${email}`).waitFor();
  t.notMatch(page.url(), 'link=', 'the token leaves the address bar');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  const again = await place.open(`/#${link.split('#')[1]}`, {
    isSignedOut: true,
    expects: unauthorized,
  });
  await again.getByText('was already used').waitFor();
  const next = await again.getByText('was already used').innerText();
  for (const way of ['below', 'API key', 'npx engage dashboard-link', 'demo.env'])
    t.match(next, way, 'it says how to go on');
});

t.test('a session that ended elsewhere leads back to the same page', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('activity', { expects: unauthorized });
  const { items } = (await place.call('GET', '/v1/org/sessions')) as {
    readonly items: readonly { readonly id: string }[];
  };
  for (const { id } of items) await place.call('DELETE', `/v1/org/sessions/${id}`);
  await page.getByText('Your session ended').waitFor();
  t.match(page.url(), '/activity');
  await page.getByRole('button', { name: 'Sign in with an API key' }).click();
  await page.getByLabel('API key').fill(place.key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
});

t.test('signing out ends the session', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('home', { expects: /401/ }); // of reads that were on their way
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(`${place.url}/dashboard/${place.appId}/home`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.pass('still signed out after a reload');
});
