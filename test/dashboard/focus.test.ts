// Whatever opens above the page gives the focus back to what opened it when Escape closes it.

import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { needsBrowser, phone, workplace } from './support/browser.ts';
import { fillApp, type LivedInApp } from './support/lived-in-app.ts';
import { whenSettled } from './support/screen-list.ts';

const waitMs = 15_000;

interface Opened {
  readonly name: string;
  path(made: LivedInApp): string;
  /** What has the focus before, and after. */
  opener(page: Page): Locator;
  /** Items of its menu that are chosen one after the other; what opens last is a dialog. */
  readonly item?: string | RegExp;
  /** What opens it; Enter without one. */
  readonly key?: string;
  readonly role?: 'menu' | 'listbox';
  before?(page: Page): Promise<void>;
}

const button = (name: string | RegExp, isExact = true) => ({
  opener: (page: Page) => page.getByRole('button', { name, exact: isExact }).first(),
});
const at = (path: string) => ({ path: () => path });
const more = button('More actions');

/** Ticks the first person, so that the actions appear. */
const selectOne = async (page: Page) => {
  const first = page.getByRole('row').nth(1);
  await first.focus();
  await page.keyboard.press('x');
};

const all: readonly Opened[] = [
  { name: 'palette', ...at('home'), ...button(/^Search or jump/) },
  { name: 'palette by keys', ...at('home'), ...button('Help'), key: 'Control+k' },
  { name: 'keys', ...at('home'), ...button('Help'), key: '?' },
  { name: 'keys by menu', ...at('home'), ...button('Help'), item: /Keyboard shortcuts/ },
  { name: 'help', ...at('home'), ...button('Help'), role: 'menu' },
  { name: 'account', ...at('home'), ...button(/^Account/), role: 'menu' },
  {
    name: 'new app',
    ...at('home'),
    opener: (page) => page.locator('.rail .app-switch'),
    item: 'New app',
  },
  { name: 'columns', ...at('people'), ...button('Columns'), role: 'menu' },
  { name: 'export', ...at('people'), ...button('Export'), role: 'menu' },
  { name: 'set a tag', ...at('people'), ...button('Set a tag'), before: selectOne },
  { name: 'opt out', ...at('people'), ...button('Opt out'), before: selectOne },
  { name: 'erase some', ...at('people'), ...button('Erase'), before: selectOne },
  { name: 'person', ...at('people/external:customer-0003'), ...more, role: 'menu' },
  { name: 'erase', ...at('people/external:customer-0003'), ...more, item: 'Erase person' },
  { name: 'send a test', ...at('people/external:customer-0003'), ...button('Send a test') },
  {
    name: 'send a test by key',
    ...at('people/external:customer-0003'),
    ...more,
    key: 't',
  },
  { name: 'segment', path: (made) => `segments/${made.segmentId}`, ...more, item: /^Delete/ },
  {
    name: 'campaign of a row',
    ...at('campaigns?state=draft'),
    ...button(/^Actions of/),
    item: 'Delete',
  },
  { name: 'row menu', ...at('campaigns'), ...button(/^Actions of/), role: 'menu' },
  { name: 'journey', path: (made) => `journeys/${made.journeyId}`, ...more, role: 'menu' },
  { name: 'delete message', ...at('messages'), ...button('Actions'), item: 'Delete' },
  {
    name: 'message',
    path: (made) => `messages/${made.messageId}`,
    ...button('More'),
    item: 'Delete',
  },
  { name: 'test', path: (made) => `messages/${made.messageId}`, ...button('Send a test') },
  { name: 'in-app', path: (made) => `inapp/${made.inAppId}`, ...button('Delete') },
  { name: 'flag', ...at('flags/new-checkout'), ...button('Delete') },
  { name: 'add address', ...at('suppressions'), ...button('Add address') },
  { name: 'allow again', ...at('suppressions'), ...button('Allow again') },
  {
    name: 'event',
    ...at('events'),
    opener: (page) => page.getByRole('row').nth(2),
  },
  { name: 'snippets', ...at('events'), ...button('Send events') },
  { name: 'delete app', ...at('settings'), ...button('Delete app') },
  { name: 'add member', ...at('/org/team'), ...button('Add member') },
  { name: 'remove member', ...at('/org/team'), ...button(/^Actions for/), item: 'Remove' },
  { name: 'create key', ...at('/org/team?tab=keys'), ...button('Create API key') },
  { name: 'delete key', ...at('/org/team?tab=keys'), ...button(/^Actions for/), item: /^Delete/ },
  { name: 'create client', ...at('/org/clients'), ...button('Create client') },
];

t.test('focus returns to what opened it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = await fillApp(place);
  const page = await place.open('home');
  page.setDefaultTimeout(waitMs);
  for (const one of all) {
    const path = one.path(made);
    const address = path.startsWith('/') ? path : `/${place.appId}/${path}`;
    await page.goto(`${place.url}/dashboard${address}`);
    await whenSettled(page);
    const wrong = await openAndClose(page, one).then(
      () => undefined,
      (error: Error) => error.message.split('\n')[0],
    );
    t.ok(wrong === undefined, `${one.name}: ${wrong ?? 'the focus is back'}`);
  }
});

t.test('on a phone too', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('home', { size: phone });
  page.setDefaultTimeout(waitMs);
  const opener = page.getByRole('button', { name: 'More', exact: true });
  await openAndClose(page, { name: 'more', path: () => 'home', opener: () => opener });
  t.pass('the drawer gave it back');
});

async function openAndClose(page: Page, one: Opened): Promise<void> {
  await one.before?.(page);
  const opener = one.opener(page);
  await opener.focus();
  await page.keyboard.press(one.key ?? 'Enter');
  if (one.item !== undefined) {
    const item = page.getByRole('menuitem', { name: one.item });
    await item.waitFor();
    await item.focus();
    await page.keyboard.press('Enter');
  }
  const opened = page.getByRole(one.role ?? 'dialog');
  await opened.waitFor();
  await opened.locator(':scope:focus, :focus').first().waitFor();
  await page.keyboard.press('Escape');
  await opened.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();
}
