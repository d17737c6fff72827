// The frame: keys, the palette, and the switch of apps.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const focusedRow = `document.activeElement?.getAttribute('data-key') ?? ''`;

t.test('keys', needsBrowser, async (t) => {
  const place = await workplace(t, 'Keys');
  await place.call('POST', '/v1/import/subscribers', {
    appId: place.appId,
    rows: Array.from({ length: 5 }, (_, at) => ({ externalUserId: `k-${at}` })),
  });

  await t.test('walk from screen to screen, and through rows from anywhere', async (t) => {
    const page = await place.open('home');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('j');
    const first = await eventuallyFocused(page);
    await page.keyboard.press('j');
    const second = await eventuallyFocused(page, first);
    await page.keyboard.press('k');
    t.equal(await eventuallyFocused(page, second), first);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'k-4', level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('k-2');
    await page.locator('.table-foot', { hasText: /^1 person$/ }).waitFor();
  });

  await t.test('rest in a dialog', async (t) => {
    const page = await place.open('people');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Next row').waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('c');
    t.match(page.url(), /\/people$/, 'a letter in a dialog leads nowhere');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('single letters can be switched off, and stay off', async (t) => {
    const page = await place.open('people');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-letter shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    t.match(page.url(), /\/people$/);
  });
});

t.test('the palette leads to a person, a send and a thing by its name', needsBrowser, async (t) => {
  const place = await workplace(t, 'Palette');
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada-77',
    devices: [{ channel: 'email', endpoint: 'ada77@example.com' }],
  });
  await place.call('POST', `${app}/segments`, {
    name: 'Garden friends',
    filter: { tag: 'plan', eq: 'pro' },
  });
  const sent = (await place.call('POST', `${app}/notifications`, {
    externalUserId: 'ada-77',
    title: 'Hello',
    body: 'World',
  })) as { readonly id: string };
  const search = async (page: Page, typed: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(typed);
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.press('Enter');
  };

  const page = await place.open('home');
  await search(page, 'ada77@example.com', /ada-77/);
  await page.getByRole('heading', { name: 'ada-77', level: 1 }).waitFor();
  await page
    .getByText(/accepted/i)
    .first()
    .waitFor();
  await search(page, sent.id, /Open · Activity/);
  await page.waitForURL(/\/activity\/ntf_/);
  await page.locator('.story').waitFor();
  await search(page, 'garden', /Garden friends.*Segment/);
  await page.waitForURL(/\/segments\/seg_/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('nobody-has-this');
  await page.getByText('No results.').waitFor();
  t.strictSame(await axeFindings(page), []);
  const small = await place.open('home', { size: phone, scheme: 'dark' });
  await small.getByRole('button', { name: 'Search or jump to…' }).click();
  await small.getByRole('option', { name: /New campaign/ }).waitFor();
  t.strictSame(await axeFindings(small), []);
});

t.test('the app switcher leads to another app, and back', needsBrowser, async (t) => {
  const place = await workplace(t, 'Apps');
  const other = (await place.call('POST', '/v1/apps', { name: 'Second', timezone: 'UTC' })) as {
    readonly id: string;
  };
  const page = await place.open('people');
  await page.getByRole('button', { name: /Apps app/ }).press('Enter');
  await page
    .getByRole('menuitemradio', { name: 'Second' })
    .or(page.getByRole('menuitem', { name: 'Second' }))
    .first()
    .click();
  await page.waitForURL(new RegExp(`/${other.id}/home`));
  await page.goto(`${place.url}/dashboard`);
  await page.waitForURL(new RegExp(`/${other.id}/home`));
  t.pass('the last app opens again');
});

/** The row that has the focus, once it is another than before. */
async function eventuallyFocused(page: Page, before = ''): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const now = String(await page.evaluate(focusedRow));
    if (now !== '' && now !== before) return now;
  }
  throw new Error('no row took the focus');
}
