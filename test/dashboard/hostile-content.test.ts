// What people wrote is never run: scripts in names, tags, templates, mails, blocks and addresses,
// on every screen that shows them. Each attack would say a word in the console, also from a frame.

import type { Page } from 'playwright-core';
import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';

const word = 'SENTINEL';
const script = `console.log("${word}")`;
const attack =
  `"><script>${script}</script><img src=x onerror='${script}'>` +
  `<svg onload='${script}'><a href='javascript:${script}'>x</a><iframe srcdoc="<script>${script}</script>">`;
/** Short enough for a label. */
const image = `<img src=x onerror='${script}'>`;
const address = `javascript:${script}`;
/** What the policies say when they refuse. */
const refusals =
  /Content Security Policy|Blocked script execution|Failed to load resource|sandboxed/;

t.test('hostile content runs nothing on any screen', needsBrowser, async (t) => {
  const place = await workplace(t, image);
  const ids = await plant(place.call, `/v1/apps/${place.appId}`);
  let said = 0;
  const page = await place.open('messages', {
    expects: refusals,
    before: async (one) => {
      one.on('console', (message) => {
        if (message.text().includes(word) && message.type() === 'log') said++;
      });
      one.on('dialog', () => said++);
    },
  });
  const screens = [
    ...['home', 'messages', 'messages/new', 'messages?tab=templates', 'people', 'people/eve'],
    ...[`messages/templates/${ids.template}`, `messages/${ids.blocks}?channel=email`],
    ...['inapp', `inapp/${ids.inApp}`, 'flags', 'segments', 'campaigns', 'activity', 'events'],
    ...['topics', 'topics/hostile', 'forms', 'forms/hostile', `campaigns/${ids.draft}?fold=who`],
  ];
  for (const screen of screens) await visit(page, place, screen);
  await everySent(page, place, ids);
  await everyPreview(t, page, place, ids.message);
  t.equal(said, 0, 'no attack ran');
  await page.evaluate(script.replaceAll('"', "'"));
  t.equal(said, 1, 'the sentinel would have told');
});

t.test('an SVG is no picture', needsBrowser, async (t) => {
  const place = await workplace(t);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'/>`;
  const answer = await fetch(`${place.url}/v1/apps/${place.appId}/assets?name=a.svg`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.key}`, 'content-type': 'image/png' },
    body: svg,
  });
  t.equal(answer.status, 400);
  t.match(await answer.json(), { error: /PNG, JPEG, GIF or WebP/ });
});

interface Place {
  readonly url: string;
  readonly appId: string;
}

async function visit(page: Page, { url, appId }: Place, screen: string): Promise<void> {
  await page.goto(`${url}/dashboard/${appId}/${screen}`);
  await page.locator('h1').first().waitFor();
  await page.locator('.grey, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Each channel's look of the message, its mail in a frame as well. */
async function everyPreview(t: Tap, page: Page, place: Place, id: string): Promise<void> {
  await visit(page, place, `messages/${id}`);
  const bar = page.getByRole('toolbar', { name: 'Channels' });
  await bar.getByRole('button').first().waitFor();
  const count = await bar.getByRole('button').count();
  t.equal(count, 13);
  for (let nth = 0; nth < count; nth++) {
    await bar.getByRole('button').nth(nth).click();
    await page.locator('.preview-stage, .previews .note').first().waitFor();
    for (const link of await page.locator('.preview-stage a[href]').all())
      t.match(await link.getAttribute('href'), /^https?:/);
  }
  await page.locator('.grey, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** The message on the pages of its send and its campaign, and in the story of its person. */
async function everySent(page: Page, place: Place, { eve, sent, campaign }: Sent): Promise<void> {
  for (const screen of [`activity/${sent}`, `campaigns/${campaign}?tab=message`, `people/${eve}`]) {
    await visit(page, place, screen);
    if (screen.startsWith('people')) await page.getByText('View message').first().click();
    await page.locator('.preview-stage .look').first().waitFor();
    for (const link of await page.locator('.preview-stage a[href]').all())
      if (!/^https?:/.test((await link.getAttribute('href')) ?? '')) throw new Error('a link');
  }
}

interface Sent {
  readonly eve: string;
  readonly sent: string;
  readonly campaign: string;
}

interface Tap {
  equal(found: unknown, wanted: unknown): unknown;
  match(found: unknown, wanted: unknown): unknown;
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** One of everything that people name, write or send. */
async function plant(call: Call, app: string) {
  const make = async (path: string, body: unknown) =>
    (await call('POST', `${app}/${path}`, body)) as { readonly id: string };
  const eve = await make('subscribers', {
    externalUserId: 'eve',
    tags: { first_name: attack, bio: attack },
    devices: [{ channel: 'email', endpoint: 'eve@example.com' }],
  });
  const words = { name: attack, title: attack, body: `<p>{{ bio }}</p>${attack}` };
  const message = await make('messages', {
    ...words,
    buttons: [{ id: 'a', label: image, url: 'https://a.example/' }],
    localizations: { de: { title: attack, body: attack } },
  });
  const design = {
    version: 1,
    blocks: [
      { id: 'a', kind: 'html', values: { code: attack } },
      { id: 'b', kind: 'text', values: { words: `${attack} [x](${address})` } },
      { id: 'c', kind: 'button', values: { label: attack, href: address } },
      { id: 'd', kind: attack, values: {} },
    ],
  };
  const blocks = await make('messages', { ...words, design });
  const template = await make('message-templates', { ...words, name: 'hostile' });
  const inApp = await make('in-app-messages', { messageId: message.id, show: 'both' });
  await make('flags', {
    key: 'hostile',
    enabled: true,
    variants: [{ key: 'a', weight: 1 }],
  });
  await make('segments', { name: image, filter: { activeWithinDays: 7 } });
  await make('topics', { key: 'hostile', name: image, description: image });
  await make('forms', {
    key: 'hostile',
    name: image,
    fields: [{ tag: 'hostile', label: image, type: 'text' }],
    topics: ['hostile'],
    consent: attack,
  });
  const draft = await make('campaigns', {
    ...{ name: image, messageId: message.id, topic: 'hostile' },
  });
  const campaign = await make('campaigns', { name: image, messageId: message.id });
  await call('POST', `/v1/campaigns/${campaign.id}/send`, {});
  const sent = await make(`messages/${message.id}/test`, { externalUserId: 'eve' });
  return {
    ...{ message: message.id, blocks: blocks.id, template: template.id, inApp: inApp.id },
    ...{ eve: eve.id, sent: sent.id, campaign: campaign.id, draft: draft.id },
  };
}
