// What was typed and not saved is there again, in every editor and form, and one can drop it.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

const filter = { tag: 'plan', eq: 'pro' };
const note = 'These are your earlier changes, which were not saved.';

interface Case {
  readonly name: string;
  readonly screen: string;
  readonly label: string;
  readonly typed: string;
  readonly before: string;
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
  await page.getByText('stay in this browser for two weeks').waitFor();
}

t.test('half-written work stays when an editor is left', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const segment = (await place.call('POST', `${app}/segments`, { name: 'Payers', filter })) as {
    readonly id: string;
  };
  await place.call('POST', `${app}/flags`, { key: 'new-checkout', rolloutPercent: 40 });
  const message = (await place.call('POST', `${app}/messages`, { title: 'Sale', body: 'Now' })) as {
    readonly id: string;
  };
  const inApp = (await place.call('POST', `${app}/in-app-messages`, {
    messageId: message.id,
    show: 'popup',
    priority: 3,
  })) as { readonly id: string };
  await place.call('POST', `${app}/topics`, { key: 'news', name: 'News' });
  const form = { key: 'newsletter', name: 'Letter', consent: 'I agree.' };
  await place.call('POST', `${app}/forms`, form);
  await place.call('PATCH', '/v1/org/branding', { productName: 'Acme' });
  const field = { name: 'Name', typed: 'Half written' };
  const cases: readonly Case[] = [
    { ...field, screen: `segments/${segment.id}`, label: 'Name', before: 'Payers' },
    { ...field, screen: 'segments/new', label: 'Name', before: '' },
    { ...field, screen: 'flags/new', label: 'Key', before: '' },
    {
      ...field,
      typed: '55',
      screen: 'flags/new-checkout',
      label: 'Percentage of matching people',
      before: '40',
    },
    { ...field, screen: 'topics/new', label: 'Name', before: '' },
    { ...field, screen: 'topics/news', label: 'Name', before: 'News' },
    { ...field, screen: 'forms/new', label: 'Name', before: '' },
    { ...field, screen: 'forms/newsletter', label: 'Name', before: 'Letter' },
    { ...field, typed: '9', screen: `inapp/${inApp.id}`, label: 'Priority', before: '3' },
    { ...field, screen: 'settings', label: 'Reply to', before: '' },
    { ...field, screen: '/org/branding', label: 'Product name', before: 'Acme' },
  ];
  const page = await place.open('home');
  page.on('dialog', (dialog) => void dialog.accept());
  for (const { screen, label, typed, before } of cases) {
    const path = screen.startsWith('/') ? screen : `/${place.appId}/${screen}`;
    const open = () => page.goto(`${place.url}/dashboard${path}`);
    const input = page.locator('.screen-body input').and(page.getByLabel(label)).first();
    await open();
    t.equal(await input.inputValue(), before, screen);
    await input.fill(typed);
    await page
      .getByText(/^(Unsaved changes|Not saved yet)$/)
      .first()
      .waitFor();
    await leave(page);
    await page.getByRole('button', { name: 'Leave and keep the draft' }).click();
    await page.waitForURL(/events/);
    await open();
    await page.getByText(note).waitFor();
    t.equal(await input.inputValue(), typed, `${screen}: it is back`);
    if (screen.endsWith('new')) t.strictSame(await axeFindings(page), [], screen);
    await page.reload();
    await page.getByText(note).waitFor();
    await page
      .getByRole('button', { name: /^Discard/ })
      .first()
      .click();
    await page.getByText(note).waitFor({ state: 'detached' });
    t.equal(await input.inputValue(), before, `${screen}: it is dropped`);
    await open();
    await input.waitFor();
    t.equal(await page.getByText(note).count(), 0, `${screen}: it stays dropped`);
    await input.fill(typed);
    await leave(page);
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.waitForURL(/events/);
    await open();
    await input.waitFor();
    t.equal(await input.inputValue(), before, `${screen}: it was discarded on leaving`);
  }
});

t.test(
  'the filter of a new segment is there again, and a saved one is not',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('segments/new');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByLabel('Name').fill('Payers');
    await page.locator('label', { hasText: /^JSON$/ }).click();
    await page.locator('textarea').fill(JSON.stringify(filter));
    await page.locator('textarea').blur();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave and keep the draft' }).click();
    await page.waitForURL(/segments$/);
    await page.goto(`${place.url}/dashboard/${place.appId}/segments/new`);
    await page.getByText(note).waitFor();
    await page.locator('label', { hasText: /^JSON$/ }).click();
    t.match(JSON.parse(await page.locator('textarea').inputValue()), filter);
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.waitForURL(/segments\/seg_/);
    await page.goto(`${place.url}/dashboard/${place.appId}/segments/new`);
    await page.getByLabel('Name').waitFor();
    t.equal(await page.getByLabel('Name').inputValue(), '');
    t.equal(await page.getByText(note).count(), 0);
  },
);

t.test('a secret that was typed is never kept', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('settings');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByLabel('Reply to').fill('acme@example.com');
  await page.getByLabel('Secret').first().fill('whsec_never_kept');
  await page.waitForFunction('JSON.stringify(localStorage).includes("acme@")');
  t.notMatch(await page.evaluate('JSON.stringify(localStorage)'), /never_kept/);
  await page.reload();
  await page.getByText(note).waitFor();
  t.equal(await page.getByLabel('Secret').first().inputValue(), '');
});
