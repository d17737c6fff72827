// Whatever opens above the page gives the focus back to what opened it when Escape closes it.

import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { blockKinds, newBlock, starterDesign } from '../../dashboard/editor/blocks/kinds.ts';
import { eventually } from '../support/server.ts';
import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { whenSettled } from './support/screen-list.ts';

const waitMs = 15_000;

type Made = Awaited<ReturnType<typeof filled>>;

interface Opened {
  readonly name: string;
  path(made: Made): string;
  /** What has the focus before, and after. */
  opener(page: Page): Locator;
  /** Items of its menu that are chosen one after the other; what opens last is a dialog. */
  readonly item?: string | RegExp;
  /** What opens it; Enter without one. */
  readonly key?: string;
  readonly role?: 'menu' | 'listbox';
  before?(page: Page): Promise<void>;
  /** While it is open. */
  meanwhile?(page: Page, place: Workplace): Promise<void>;
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

const mark = (row: { setAttribute(name: string, value: string): void }) =>
  row.setAttribute('data-marked', '');

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
  {
    name: 'add a step',
    path: (made) => `journeys/${made.draftJourneyId}`,
    ...button('Add step'),
  },
  {
    name: 'add a step by key',
    path: (made) => `journeys/${made.draftJourneyId}`,
    opener: (page) => page.getByRole('treeitem').nth(1),
    key: 'a',
  },
  {
    name: 'add a step on a line',
    path: (made) => `journeys/${made.draftJourneyId}`,
    ...button('Add a step here'),
  },
  { name: 'delete message', ...at('messages'), ...button('Actions'), item: 'Delete' },
  {
    name: 'message',
    path: (made) => `messages/${made.messageId}`,
    ...button('More'),
    item: 'Delete',
  },
  { name: 'language', path: (made) => `messages/${made.messageId}`, ...button('Add language') },
  {
    name: 'use blocks',
    path: (made) => `messages/${made.messageId}`,
    opener: (page) => page.getByRole('radio', { name: 'Blocks' }),
    key: 'Space',
  },
  {
    name: 'add a block',
    path: (made) => `messages/${made.blocksId}`,
    ...button('Add block'),
    role: 'menu',
  },
  {
    name: 'block',
    path: (made) => `messages/${made.blocksId}`,
    ...button(/^Text: Edit/),
    role: 'menu',
  },
  {
    name: 'picture of a block',
    path: (made) => `messages/${made.blocksId}`,
    before: (page) =>
      page
        .getByRole('button', { name: /^Picture/ })
        .first()
        .click(),
    ...button('Choose picture'),
  },
  {
    name: 'compare',
    path: (made) => `compare?ids=${made.campaignId}`,
    opener: (page) => page.getByRole('combobox', { name: 'Add a campaign' }),
    key: 'ArrowDown',
    role: 'listbox',
  },
  { name: 'redrive all', ...at('activity?tab=failures'), ...button(/^Redrive all/) },
  { name: 'redrive one', path: (made) => `activity/${made.failedId}`, ...button('Redrive') },
  { name: 'replace secret', ...at('integrations/webhook'), ...button('Replace secret') },
  { name: 'disconnect', ...at('integrations/webhook'), ...button('Disconnect') },
  { name: 'write key', ...at('integrations/cdp'), ...button('Create another write key') },
  { name: 'test', path: (made) => `messages/${made.messageId}`, ...button('Send a test') },
  { name: 'in-app', path: (made) => `inapp/${made.inAppId}`, ...button('Delete') },
  { name: 'flag', ...at('flags/new-checkout'), ...button('Delete') },
  { name: 'topic', ...at('topics/news'), ...button('Delete') },
  { name: 'form', ...at('forms/newsletter'), ...button('Delete') },
  { name: 'form of a row', ...at('forms'), ...button(/^Actions of/), item: 'Delete' },
  { name: 'add address', ...at('suppressions'), ...button('Add address') },
  { name: 'allow again', ...at('suppressions'), ...button('Allow again') },
  {
    name: 'event',
    ...at('events'),
    // Not by its place: it moves down when an event comes, and the focus with it.
    before: (page) => page.getByRole('row').nth(2).evaluate(mark),
    opener: (page) => page.locator('[data-marked]'),
    meanwhile: async (page, { call, appId }) => {
      const events = [{ name: 'came_meanwhile', externalUserId: 'busy' }];
      await call('POST', '/e', { appId, events });
      await page.getByText('came_meanwhile').first().waitFor();
    },
  },
  { name: 'snippets', ...at('events'), ...button('Send events') },
  { name: 'delete app', ...at('settings'), ...button('Delete app') },
  { name: 'add member', ...at('/org/team'), ...button('Add member') },
  { name: 'remove member', ...at('/org/team'), ...button(/^Actions for/), item: 'Remove' },
  { name: 'create key', ...at('/org/team?tab=keys'), ...button('Create API key') },
  { name: 'delete key', ...at('/org/team?tab=keys'), ...button(/^Actions for/), item: /^Delete/ },
  { name: 'create client', ...at('/org/clients'), ...button('Create client') },
];

/** Beside what every app has: a journey that can be changed, a mail in blocks, and a failure. */
async function filled(place: Workplace) {
  const app = `/v1/apps/${place.appId}`;
  const made = async (path: string, body: object) =>
    ((await place.call('POST', `${app}/${path}`, body)) as { readonly id: string }).id;
  const common = await fillApp(place);
  const draftJourneyId = await made('journeys', {
    name: 'Draft',
    triggerEvent: 'signed_up',
    steps: [{ id: 'settle', type: 'wait', days: 1 }],
  });
  const blocksId = await made('messages', {
    name: 'In blocks',
    title: 'In blocks',
    body: '<p>Hello</p>',
    design: {
      ...starterDesign(),
      blocks: blockKinds.map((kind) => newBlock(kind, `a-${kind.id}`)),
    },
  });
  await place.call('POST', `${app}/write-key`);
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'busy',
    devices: [{ channel: 'email', endpoint: 'busy@example.com' }],
  });
  const letter = { externalUserId: 'busy', title: 'Receipt', body: 'Thank you', ttlSeconds: 1 };
  const failedId = await made('notifications', letter);
  await eventually(async () => {
    const { items } = (await place.call('GET', `${app}/dead-letters`)) as {
      readonly items: readonly unknown[];
    };
    return items[0];
  }, 'nothing fails');
  return { ...common, draftJourneyId, blocksId, failedId };
}

t.test('focus returns to what opened it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = await filled(place);
  const page = await place.open('home');
  page.setDefaultTimeout(waitMs);
  let shown = '';
  for (const one of all) {
    const path = one.path(made);
    const address = path.startsWith('/') ? path : `/${place.appId}/${path}`;
    // What was opened and closed leaves its screen as it was.
    if (address !== shown || one.before !== undefined) {
      await page.goto(`${place.url}/dashboard${address}`);
      await whenSettled(page);
    }
    shown = one.before === undefined ? address : '';
    const wrong = await openAndClose(page, one, place).then(
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
  await openAndClose(page, { name: 'more', path: () => 'home', opener: () => opener }, place);
  t.pass('the drawer gave it back');
});

async function openAndClose(page: Page, one: Opened, place: Workplace): Promise<void> {
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
  // A list below a field leaves the focus there.
  if (one.role !== 'listbox') await opened.locator(':scope:focus, :focus').first().waitFor();
  await one.meanwhile?.(page, place);
  await page.keyboard.press('Escape');
  await opened.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();
}
