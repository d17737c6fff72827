// The ten flows of a day on a phone, by finger alone: what is tapped must be in reach and large
// enough, and words are typed.

import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';

type Role = Parameters<Page['getByRole']>[0];

/** What is needed of an element of the page. */
interface Target {
  readonly ownerDocument: {
    elementFromPoint(
      x: number,
      y: number,
    ): { closest(selector: string): { readonly control?: unknown } | null } | null;
  };
  contains(other: unknown): boolean;
  getBoundingClientRect(): { readonly [side in 'x' | 'y' | 'width' | 'height']: number };
  scrollIntoView(options: object): void;
}

/** Whether 24 px around its middle belong to it (WCAG 2.2, 2.5.8). Runs in the page. */
function isLarge(element: Target): boolean {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const around = [
    [0, 0],
    [11, 0],
    [-11, 0],
    [0, 11],
    [0, -11],
  ] as const;
  return around.every(([right, down]) => {
    const [atX, atY] = [x + width / 2 + right, y + height / 2 + down];
    const hit = element.ownerDocument.elementFromPoint(atX, atY);
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
  });
}

async function touch(target: Locator): Promise<void> {
  await target.waitFor();
  if (!(await target.evaluate(isLarge))) throw new Error(`${target} is too small for a finger`);
  await target.tap();
}

function finger(page: Page) {
  return (role: Role, name: string | RegExp, within: Page | Locator = page) =>
    touch(within.getByRole(role, { name, exact: typeof name === 'string' }).first());
}

function onPhone(place: Workplace, screen: string): Promise<Page> {
  return place.open(screen, { size: phone });
}

/** Nothing of the page lies beside the screen. */
async function fits(t: Test, page: Page): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.ok(Number(wide) <= 0, `${wide} px beside the screen of ${page.url()}`);
}

async function people(place: Workplace, names: readonly string[]): Promise<void> {
  await place.call('POST', '/v1/import/subscribers', {
    appId: place.appId,
    rows: names.map((name) => ({
      externalUserId: name,
      tags: { first_name: name, plan: 'pro' },
      devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
    })),
  });
}

t.test('1: a first campaign', needsBrowser, async (t) => {
  const place = await workplace(t, 'First campaign');
  const page = await onPhone(place, 'home');
  const tap = finger(page);
  await tap('button', 'Add 130 sample people');
  await page.getByText('1 of 5 done').waitFor();
  await tap('link', /^Write a message/);
  await tap('button', /Welcome, as a push/);
  await fits(t, page);
  await tap('button', 'Save');
  await page.waitForURL(/messages\/msg_/);
  await tap('link', 'Home');
  await tap('link', /^Choose who gets it/);
  await fits(t, page);
  await page.getByText('Saved', { exact: true }).waitFor();
  await tap('button', 'Review');
  await tap('button', /^Send to \d+ people$/);
  await page.getByRole('heading', { name: 'Funnel' }).waitFor();
  await fits(t, page);
});

t.test('2: a segment, counted while it is made', needsBrowser, async (t) => {
  const place = await workplace(t, 'Segment');
  await people(place, ['ada', 'ben', 'cleo']);
  const page = await onPhone(place, 'segments/new');
  const tap = finger(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pros');
  await tap('button', 'Add condition');
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('plan');
  await tap('option', /^plan/);
  await page.getByRole('combobox', { name: 'Value' }).fill('pro');
  await page.locator('.audience-number strong', { hasText: '3' }).waitFor();
  await tap('option', /^pro/);
  await fits(t, page);
  await tap('button', 'Save segment');
  await page.waitForURL(/segments\/seg_/);
});

t.test('3: a journey from a starter to live', needsBrowser, async (t) => {
  const place = await workplace(t, 'Journey');
  const page = await onPhone(place, 'journeys');
  const tap = finger(page);
  await tap('button', 'Use template Welcome');
  await fits(t, page);
  await tap('treeitem', /^A day later/);
  await page.getByRole('dialog').getByLabel('Wait for').fill('2');
  await tap('button', 'Close', page.getByRole('dialog'));
  await page.getByText('Saved', { exact: true }).waitFor();
  await tap('button', 'Test run');
  await tap('button', 'Start the test run');
  await page.getByText('The person reaches the end.').waitFor();
  await fits(t, page);
  await tap('button', 'Close', page.getByRole('dialog'));
  await tap('button', 'Activate');
  await tap('button', 'Activate', page.getByRole('dialog'));
  await page.getByText('This journey is live, so its steps').waitFor();
});

t.test('4: where a message went, and why', needsBrowser, async (t) => {
  const place = await workplace(t, 'Where');
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: 'linh',
    devices: [{ channel: 'email', endpoint: 'nouser@example.com' }],
  });
  const sent = { externalUserId: 'linh', title: 'Your order', body: 'It is on its way' };
  await place.call('POST', `/v1/apps/${place.appId}/notifications`, sent);
  const page = await onPhone(place, 'home');
  const tap = finger(page);
  await tap('button', 'Search or jump to…');
  await page.getByRole('combobox', { name: 'Search' }).fill('nouser@example.com');
  await tap('option', /linh/);
  await page.getByRole('heading', { name: 'linh', level: 1 }).waitFor();
  await page.getByText(/cannot be delivered on Email/).waitFor();
  await fits(t, page);
});

t.test('5: an import, with its wrong line', needsBrowser, async (t) => {
  const place = await workplace(t, 'Import by finger');
  const page = await onPhone(place, 'import');
  const tap = finger(page);
  const file = 'Customer ID,First name,E-mail\nc-1,Ada,ada@example.com\nc-2,Ben,no address\n';
  const chooser = page.waitForEvent('filechooser');
  await tap('button', /^Choose a file/);
  await (await chooser).setFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file),
  });
  await page.getByRole('combobox', { name: 'Import E-mail as' }).waitFor();
  await fits(t, page);
  await tap('button', 'Check the file');
  await page.getByRole('heading', { name: 'Checked' }).waitFor();
  await tap('button', 'Import');
  await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
  await fits(t, page);
  const download = page.waitForEvent('download');
  await tap('button', 'Download failed lines');
  await download;
});

t.test('6: a mail in blocks, previewed and tested', needsBrowser, async (t) => {
  const place = await workplace(t, 'Mail by finger');
  await people(place, ['ada']);
  const page = await onPhone(place, 'messages');
  const tap = finger(page);
  await tap('link', 'New message');
  await tap('button', /^Block email/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring mail');
  await tap('button', /^Text ?Write something/);
  await page.locator('.block-body .cm-content').tap();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Hello {{ first_name }}');
  await touch(page.locator('label', { hasText: 'Preview' }));
  await page.frameLocator('iframe.mail-html').getByText('Hello ada').waitFor();
  await fits(t, page);
  await tap('button', 'Save');
  await page.waitForURL(/messages\/msg_/);
  await tap('button', 'Send a test');
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByLabel('To').fill('ada');
  await tap('option', /ada/);
  await tap('button', 'Send test', dialog);
  await dialog.getByText('Delivered').first().waitFor();
});

t.test('7: a campaign is paused in flight, and goes on', needsBrowser, async (t) => {
  const place = await workplace(t, 'In flight');
  await people(
    place,
    Array.from({ length: 120 }, (_, nth) => `person-${nth}`),
  );
  const app = `/v1/apps/${place.appId}`;
  const made = async (path: string, body: object) =>
    ((await place.call('POST', `${app}/${path}`, body)) as { readonly id: string }).id;
  const messageId = await made('messages', { title: 'Sale', body: 'Now' });
  const id = await made('campaigns', {
    name: 'Sale',
    messageId,
    throttle: { perMinute: 60 },
  });
  await place.call('POST', `/v1/campaigns/${id}/send`, {});
  const page = await onPhone(place, `campaigns/${id}`);
  const tap = finger(page);
  await tap('button', 'Pause');
  await page.getByText('Paused').first().waitFor();
  await fits(t, page);
  await tap('button', 'Resume');
  await page.getByText('Sending').first().waitFor();
  await tap('button', /^Actions/);
  await tap('menuitem', /^Cancel/);
  await fits(t, page);
  await tap('button', 'Cancel campaign', page.getByRole('dialog'));
  await page.getByText('Canceled').first().waitFor();
});

t.test('8: failures are found from home, and sent again', needsBrowser, async (t) => {
  const place = await workplace(t, 'Failures');
  const app = `/v1/apps/${place.appId}`;
  for (const name of ['busy1', 'busy2']) {
    await place.call('POST', `${app}/subscribers`, {
      externalUserId: name,
      devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
    });
    const send = { externalUserId: name, title: 'Receipt', body: 'Thank you', ttlSeconds: 1 };
    await place.call('POST', `${app}/notifications`, send);
  }
  const page = await onPhone(place, 'activity?status=failed');
  const tap = finger(page);
  await page.getByRole('status').filter({ hasText: '2 sends' }).waitFor();
  await tap('link', 'Home');
  await tap('link', 'View and redrive');
  await tap('button', 'Redrive these 2');
  await fits(t, page);
  await tap('button', 'Redrive 2', page.getByRole('dialog'));
  await page.getByText('2 messages are being sent again.').waitFor();
});

t.test('9: an agency creates a client and opens it', needsBrowser, async (t) => {
  const place = await workplace(t, 'Agency by finger');
  const page = await onPhone(place, '/org/clients');
  const tap = finger(page);
  await tap('button', 'Create client');
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue Bikes');
  await tap('button', 'Create client', page.getByRole('dialog'));
  const made = page.getByRole('dialog', { name: 'Blue Bikes is ready' });
  await tap('checkbox', /./, made);
  await fits(t, page);
  await tap('button', 'Open it with its key', made);
  await made.waitFor({ state: 'detached' });
  await page.getByText('Blue Bikes').first().waitFor();
});

t.test('10: a backend is connected, with its key and its webhook', needsBrowser, async (t) => {
  const place = await workplace(t, 'Backend by finger');
  const page = await onPhone(place, '/org/team?tab=keys');
  const tap = finger(page);
  await tap('button', 'Create API key');
  const create = page.getByRole('dialog', { name: 'Create an API key' });
  await create.getByRole('textbox', { name: 'Name' }).fill('Shop backend');
  await tap('button', /^Create/, create);
  const made = page.getByRole('dialog', { name: 'The key Shop backend is ready' });
  await made.waitFor();
  await fits(t, page);
  await tap('checkbox', /./, made);
  await tap('button', 'Done', made);
  await page.goto(`${place.url}/dashboard/${place.appId}/integrations/new`);
  await page.getByRole('textbox', { name: 'URL' }).fill(`${place.sandboxUrl}/receiver/shop`);
  await tap('checkbox', /^message\.delivered/);
  await fits(t, page);
  await tap('button', 'Connect webhook');
  const once = page.getByRole('dialog', { name: 'Signing secret for the webhook' });
  await tap('checkbox', /./, once);
  await tap('button', 'Done', once);
  await tap('button', 'Send test event');
  await page.getByText(/Your server responded 200/).waitFor();
});
