// A new campaign or journey gets its id while it is written, in the editor that is open. The next
// new one, and the same one opened from its list, have an editor of their own.

import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../support/server.ts';
import { needsBrowser, type Workplace, workplace } from './support/browser.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

const name = (page: Page) => page.getByLabel('Name', { exact: true }).first();

async function fromPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
}

async function listed(place: Workplace, what: 'campaigns' | 'journeys'): Promise<readonly Named[]> {
  const { items } = (await place.call(
    'GET',
    `/v1/apps/${place.appId}/${what}?limit=100&order=oldest`,
  )) as { readonly items: readonly Named[] };
  return items;
}

async function savedAs(place: Workplace, what: 'campaigns' | 'journeys', names: readonly string[]) {
  await eventually(async () => {
    const items = await listed(place, what);
    return items.map((one) => one.name).join() === names.join() || undefined;
  }, `${what} are not ${names.join()}`);
}

t.test('a second new campaign leaves the first as it was', needsBrowser, async (t) => {
  const place = await workplace(t);
  const message = (await place.call('POST', `/v1/apps/${place.appId}/messages`, {
    ...{ name: 'Sale', title: 'Sale', body: 'Now' },
  })) as Named;
  const page = await place.open(`campaigns/new?message=${message.id}`);
  await page.getByText('Saved', { exact: true }).waitFor();
  await name(page).fill('First');
  await savedAs(place, 'campaigns', ['First']);
  await fromPalette(page, 'New campaign');
  await page.waitForURL(/campaigns\/new$/);
  await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor();
  t.equal(await name(page).inputValue(), '');
  await name(page).fill('Second');
  await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
  await page.getByRole('link', { name: 'First' }).click();
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
  t.equal(await name(page).inputValue(), 'First', 'as it is saved, in the same visit');
  await page.goBack();
  await page.getByRole('link', { name: 'First' }).waitFor();
  await savedAs(place, 'campaigns', ['First']);
});

t.test('a journey that was just made does not become the next one', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('journeys/new/empty');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Add step' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Wait Pause/ })
    .click();
  await page.getByRole('tab', { name: 'Start' }).click();
  await page.getByRole('combobox', { name: 'Event' }).fill('signup');
  await page.waitForURL(/journeys\/jrn_/);
  await name(page).fill('First');
  await savedAs(place, 'journeys', ['First']);
  await fromPalette(page, 'New journey');
  await page.getByRole('button', { name: /Empty journey$/ }).click();
  await page.waitForURL(/journeys\/new\/empty$/);
  await page.getByRole('tab', { name: 'Start' }).click();
  await name(page).fill('Second');
  await fromPalette(page, 'First');
  await page.waitForURL(/journeys\/jrn_/);
  await page.getByRole('tab', { name: 'Start' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  t.equal(await name(page).inputValue(), 'First');
  await savedAs(place, 'journeys', ['First']);
});

t.test(
  'a new campaign that is left at once is saved, and leads nobody back',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const message = (await place.call('POST', `/v1/apps/${place.appId}/messages`, {
      ...{ name: 'Sale', title: 'Sale', body: 'Now' },
    })) as Named;
    const page = await place.open('campaigns/new');
    await name(page).fill('Left');
    // Its message is chosen and the screen is left before the editor saves by itself.
    await page.evaluate(
      `history.replaceState(null, '', location.pathname + '?message=${message.id}')`,
    );
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.waitForURL(/events$/);
    await savedAs(place, 'campaigns', ['Left']);
    await page.waitForTimeout(500);
    t.match(page.url(), /events$/);
  },
);
