// Invitations in the dashboard, by keyboard alone: a link that asks which org, an invitation that
// is declined or accepted from the account menu, and an org that is left.

import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';
import { mailedFragment } from './support/sign-in.ts';

async function mailLink(page: Page, url: string, email: string): Promise<void> {
  const headers = { 'x-engage-dashboard': '1', origin: url, 'sec-fetch-site': 'same-origin' };
  const asked = await page.request.post(`${url}/v1/session/link`, { data: { email }, headers });
  if (!asked.ok()) throw new Error(`no link: ${asked.status()}`);
}

/** Opens the account menu and moves to an item by its first letters, as people do. */
async function choose(page: Page, letters: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  const wanted = page.getByRole('menuitem', { name: item });
  await wanted.waitFor();
  await page.keyboard.type(letters);
  // The focus moves a moment after the key; a second press before that would pass the item by.
  const isThere = async () => {
    const element = await wanted.elementHandle();
    const focused = '(one) => one === document.activeElement';
    return page.waitForFunction(focused, element, { timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  };
  for (const key of ['', 'Home', ...Array<string>(12).fill('ArrowDown')]) {
    if (key !== '') await page.keyboard.press(key);
    if (!(await isThere())) continue;
    await page.keyboard.press('Enter');
    return;
  }
  throw new Error(`the arrows do not lead to ${item}`);
}

/** What somebody else did may be told a moment later: a screen is read until it says so. */
async function readUntil(page: Page, says: () => Promise<boolean>): Promise<void> {
  await until(
    async () => {
      await page.reload();
      await whenSettled(page);
      return says();
    },
    'the screen does not say so',
    60_000,
  );
}

t.test('a link asks which org, and nothing is chosen before', needsBrowser, async (t) => {
  const email = `ada-${Date.now()}@which.example`;
  const one = await workplace(t, 'Acme (production)');
  const two = await workplace(t, 'Harbour');
  for (const place of [one, two])
    await place.call('POST', '/v1/org/members', { email, role: 'owner' });
  const page = await one.open('/', { isSignedOut: true, size: phone });
  await mailLink(page, one.url, email);
  const fragment = await mailedFragment(one, email);
  await page.goto('about:blank');
  await page.goto(`${one.url}/dashboard${fragment}`);
  await page.getByRole('heading', { name: 'Which organization?' }).waitFor();
  t.equal(await page.getByRole('radio', { checked: true }).count(), 0);
  t.strictSame(await axeFindings(page), []);
  const go = page.getByRole('button', { name: 'Sign in' });
  t.equal(await go.getAttribute('aria-disabled'), 'true');
  await page.getByRole('radio', { name: /^Acme/ }).focus();
  await page.keyboard.press('ArrowDown');
  t.ok(await page.getByRole('radio', { name: /^Harbour/ }).isChecked());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  t.match(page.url(), two.appId);

  await choose(page, 'decline', 'Decline Acme (production)…');
  const dialog = page.getByRole('dialog', { name: /^Decline the invitation from Acme/ });
  await dialog.waitFor();
  t.strictSame(await axeFindings(page), []);
  await dialog.getByRole('button', { name: 'Decline' }).press('Enter');
  await page.getByText('You declined the invitation from Acme (production).').waitFor();
  await page.getByRole('button', { name: /^Account/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  t.equal(await page.getByText('invited you').count(), 0);
});

t.test('an invitation is accepted, and the org is left again', needsBrowser, async (t) => {
  const email = `ben-${Date.now()}@stay.example`;
  const home = await workplace(t, 'Home org');
  const team = await workplace(t, 'Team org');
  await home.call('POST', '/v1/org/members', { email, role: 'owner' });
  const page = await home.open('/', { isSignedOut: true, expects: /40[19]/ });
  await mailLink(page, home.url, email);
  await page.goto('about:blank');
  await page.goto(`${home.url}/dashboard${await mailedFragment(home, email)}`);
  await page.getByText(`as ${email}`).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await team.call('POST', '/v1/org/members', { email, role: 'owner' });

  const members = await team.open('/org/team');
  const row = members.getByRole('row', { name: new RegExp(email) });
  await row.getByText('Invited', { exact: true }).waitFor();
  t.strictSame(await axeFindings(members), []);

  await page.reload();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await choose(page, 'accept', 'Accept and open Team org');
  await page.waitForURL(new RegExp(team.appId));
  await readUntil(members, async () => (await row.getByText('1 sign-in').count()) > 0);

  await choose(page, 'leave', 'Leave this organization…');
  const dialog = page.getByRole('dialog', { name: 'Leave Team org?' });
  await dialog.getByRole('button', { name: 'Leave' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await readUntil(members, async () => (await members.getByText('No members yet').count()) > 0);
  t.equal(await row.count(), 0);
});
