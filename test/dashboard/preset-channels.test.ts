// A message for one channel is not sent on others because nobody thought of them.

import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];
const picture = async (page: Page, name: string) => {
  if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/${name}.png` });
};

const base = (place: Workplace) => `/v1/apps/${place.appId}`;

async function message(place: Workplace, name: string, more: object = {}): Promise<string> {
  const body = { name, title: name, body: 'Now', ...more };
  return ((await place.call('POST', `${base(place)}/messages`, body)) as { id: string }).id;
}

/** The newest campaign or journey, once it is as expected. */
async function saved<Thing>(
  place: Workplace,
  list: 'campaigns' | 'journeys',
  isWanted: (one: Thing) => boolean,
): Promise<Thing> {
  return eventually(async () => {
    const { items } = (await place.call('GET', `${base(place)}/${list}?order=newest`)) as {
      readonly items: readonly Thing[];
    };
    return items.find(isWanted);
  }, `no such one in ${list}`);
}

interface Campaign {
  readonly name: string;
  readonly messageId: string;
  readonly channels: readonly string[] | null;
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Message' }).fill(name);
  await page.getByRole('option', { name }).click();
}

t.test(
  'a starter says what it is written for, and one can say otherwise',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('messages/new/code-sms');
    const fold = page.locator('details', { hasText: 'Written for' });
    await fold.getByText('SMS', { exact: true }).first().waitFor();
    await fold.locator('summary').click();
    t.ok(await fold.getByRole('checkbox', { name: 'SMS' }).isChecked());
    await fold.getByRole('checkbox', { name: 'WhatsApp' }).check();
    await picture(page, 'written-for');
    t.strictSame(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/messages\/msg_/);
    const id = /msg_\w+/.exec(page.url())?.[0] ?? '';
    const made = await place.call('GET', `${base(place)}/messages/${id}`);
    t.same((made as { writtenFor: unknown }).writtenFor, ['sms', 'whatsapp']);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    t.ok(await dialog.getByRole('checkbox', { name: 'SMS' }).isChecked());
    t.notOk(await dialog.getByRole('checkbox', { name: 'Email' }).isChecked());
  },
);

t.test(
  'a campaign follows its message until somebody chooses channels',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const [push, mail] = [
      await message(place, 'Pushed', { writtenFor: ['fcm', 'apns'] }),
      await message(place, 'Mailed', { body: '<p>Now</p>' }),
    ];
    const plain = await message(place, 'Plain');
    const page = await place.open('campaigns/new?fold=what', { size: phone });
    await choose(page, 'Pushed');
    await page.getByText('It is written for: Android push, Apple push.').waitFor();
    const first = await saved<Campaign>(place, 'campaigns', ({ messageId }) => messageId === push);
    t.match(first, { name: 'Pushed', channels: ['fcm', 'apns'] });
    await picture(page, 'preset-phone');
    t.strictSame(await axeFindings(page), []);
    await choose(page, 'Mailed');
    const second = await saved<Campaign>(place, 'campaigns', ({ messageId }) => messageId === mail);
    t.match(second, { name: 'Mailed', channels: ['email'] });
    await choose(page, 'Plain');
    const third = await saved<Campaign>(place, 'campaigns', ({ messageId }) => messageId === plain);
    t.match(third, { name: 'Plain', channels: null }, 'a message for all goes to all');
    await choose(page, 'Mailed');
    await page.getByRole('button', { name: 'Change the channels' }).click();
    await page.getByRole('checkbox', { name: /^SMS/ }).check();
    await saved<Campaign>(place, 'campaigns', ({ channels }) => channels?.length === 2);
    await page.getByRole('button', { name: /^What/ }).click();
    await choose(page, 'Pushed');
    const last = await saved<Campaign>(place, 'campaigns', ({ messageId }) => messageId === push);
    t.same(last.channels, ['email', 'sms'], 'what somebody chose stays');
    await page.reload();
    await page.getByRole('button', { name: /^Who/ }).click();
    t.ok(await page.getByRole('checkbox', { name: /^SMS/ }).isChecked(), 'also later');
  },
);

t.test('a step of a journey does the same', needsBrowser, async (t) => {
  const place = await workplace(t);
  const push = await message(place, 'Pushed', { writtenFor: ['fcm', 'apns'] });
  const { id } = (await place.call('POST', `${base(place)}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [{ id: 'hello', type: 'send', message: { title: 'Hello', body: 'Hi' } }],
  })) as { readonly id: string };
  const page = await place.open(`journeys/${id}`);
  await page.getByRole('treeitem', { name: /^hello/ }).click();
  await page.getByText('Saved message', { exact: true }).first().click();
  await page.getByRole('combobox', { name: 'Saved message' }).fill('Pushed');
  await page.getByRole('option', { name: 'Pushed' }).click();
  await page.getByText('Preselected because the message is written for them.').waitFor();
  const { steps } = await saved<{ readonly steps: readonly object[] }>(
    place,
    'journeys',
    ({ steps: [step] }) => (step as { messageId?: string }).messageId === push,
  );
  t.match(steps, [{ messageId: push, channels: ['fcm', 'apns'] }]);
  t.strictSame(await axeFindings(page), []);
});
