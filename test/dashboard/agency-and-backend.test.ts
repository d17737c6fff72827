// Two flows by keyboard alone: an agency that creates a client, and a backend that is connected.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../support/server.ts';
import { needsBrowser, workplace } from './support/browser.ts';
import { mailedFragment, signInByMail } from './support/sign-in.ts';

/** Presses Tab until the focus is there, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<Locator> {
  await target.waitFor();
  for (let nth = 0; nth < 60; nth++) {
    if (
      await target.evaluate((element: { matches(selector: string): boolean }) =>
        element.matches(':focus'),
      )
    )
      return target;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

t.test(
  'an agency creates a client, opens it, and sees its usage alone',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'Agency');
    const owner = `ada-${Date.now()}@agency.example`;
    const invited = `eve-${Date.now()}@harbour.example`;
    await place.call('POST', '/v1/org/members', { email: owner, role: 'owner' });
    await place.call('PATCH', '/v1/org/branding', { productName: 'Northwind Mail' });
    const page = await place.open('/', { isSignedOut: true });
    await signInByMail(page, place, owner);
    await page.goto(`${place.url}/dashboard/org/clients`);
    await page.getByText('Its people, messages and campaigns are hidden').waitFor();

    await page.keyboard.press('c');
    const create = page.getByRole('dialog', { name: 'Create a client workspace' });
    await create.waitFor();
    await page.keyboard.type('Harbour Coffee');
    await tabTo(page, create.getByRole('textbox', { name: 'Also invite as owner' }));
    await page.keyboard.type(invited);
    await page.keyboard.press('Enter');
    const made = page.getByRole('dialog', { name: 'Harbour Coffee is ready' });
    await made.getByText(`A sign-in link was sent to ${invited}`).waitFor();
    t.ok(await mailedFragment(place, invited), 'the invited owner has a link');
    const key = (await made.locator('pre').first().innerText()).trim();

    await tabTo(page, made.getByRole('checkbox'));
    await page.keyboard.press('Space');
    await tabTo(page, made.getByRole('button', { name: 'Open the workspace' }));
    await page.keyboard.press('Enter');
    await made.waitFor({ state: 'detached' });
    await page.getByText('Harbour Coffee').first().waitFor();
    t.equal(await page.title(), 'Northwind Mail', 'it wears the agency’s branding');
    t.notOk((await page.content()).includes(key), 'its key is gone');

    const back = await place.open('/org/clients');
    const row = back.getByRole('row', { name: /Harbour Coffee/ });
    await row.waitFor();
    const link = await tabTo(back, back.getByRole('link', { name: 'View on your invoice' }));
    await link.press('Enter');
    await back.getByRole('row', { name: /^Harbour Coffee/ }).waitFor();
    await back.getByRole('heading', { name: 'Invoice so far' }).waitFor();
  },
);

t.test('a session of an API key opens a client with that client’s key', needsBrowser, async (t) => {
  const place = await workplace(t, 'By key');
  const page = await place.open('/org/clients');
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue Bikes');
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'Blue Bikes is ready' });
  await made.getByRole('checkbox').press('Space');
  await made.getByRole('button', { name: 'Open it with its key' }).press('Enter');
  await made.waitFor({ state: 'detached' });
  await page.getByText('Blue Bikes').first().waitFor();
});

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A customer's server, which keeps what it was sent. */
async function customer(t: Test): Promise<{ readonly url: string; readonly got: Delivery[] }> {
  const got: Delivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

type Verify = (secret: string, headers: IncomingHttpHeaders, body: string) => unknown;

/** The code that the page shows, run as it was copied. */
async function shownCode(t: Test, code: string): Promise<Verify> {
  const folder = mkdtempSync(join(tmpdir(), 'engage-verify-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'verify.mjs');
  writeFileSync(path, code);
  return (await import(pathToFileURL(path).href)).verifyWebhook;
}

t.test('a backend is connected: key, first call, webhook', needsBrowser, async (t) => {
  const place = await workplace(t, 'Backend');
  const page = await place.open('/org/team?tab=keys');
  await page.keyboard.press('c');
  const create = page.getByRole('dialog', { name: 'Create an API key' });
  await create.getByRole('combobox', { name: 'What is it for?' }).waitFor();
  t.match(await create.innerText(), 'Send transactional messages');
  await page.keyboard.type('Shop backend');
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'The key Shop backend is ready' });
  await made.waitFor();
  const env = await made.locator('pre').nth(1).innerText();
  const [, key = ''] = /^ENGAGE_KEY=(\S+)$/m.exec(env) ?? [];
  t.match(env, `ENGAGE_URL=${place.url}`);
  t.match(env, `ENGAGE_APP=${place.appId}`);

  const opened = page.context().waitForEvent('page');
  await tabTo(page, made.getByRole('link', { name: /first message in Activity/ }));
  await page.keyboard.press('Enter');
  const activity = await opened;
  await activity.getByRole('heading', { name: 'Activity' }).waitFor();
  await activity.getByText('No sends').first().waitFor();
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: 'customer-1',
    devices: [{ channel: 'email', endpoint: 'customer@shop.example' }],
  });
  const sent = await fetch(`${place.url}/v1/apps/${place.appId}/notifications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ externalUserId: 'customer-1', title: 'Hello', body: 'It works.' }),
  });
  t.equal(sent.status, 202, await sent.text());
  const sentMs = Date.now();
  await activity.getByRole('row', { name: /Hello/ }).waitFor();
  const tookMs = Date.now() - sentMs;
  t.comment(`shown after ${tookMs} ms`);
  t.ok(tookMs < 4_500, 'by the stream: without one, it would be asked for each five seconds');
  await activity.close();

  await page.bringToFront();
  await tabTo(page, made.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, made.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await made.waitFor({ state: 'detached' });
  t.notOk((await page.content()).includes(key), 'the key is not in the page any more');

  const { url, got } = await customer(t);
  await page.goto(`${place.url}/dashboard/${place.appId}/integrations/new`);
  await tabTo(page, page.getByRole('textbox', { name: 'URL' }));
  await page.keyboard.type(url);
  await tabTo(page, page.getByRole('checkbox', { name: /^message\.delivered/ }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Connect webhook' }));
  await page.keyboard.press('Enter');
  const once = page.getByRole('dialog', { name: 'Signing secret for the webhook' });
  const secret = (await once.locator('pre').first().innerText()).trim();
  await tabTo(page, once.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, once.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Send test event' }));
  await page.keyboard.press('Enter');
  await page.getByText(/Your server responded 200/).waitFor();
  t.notOk((await page.content()).includes(secret), 'the secret is not in the page any more');
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])';
  t.notMatch(String(await page.evaluate(stored)), secret, 'nor in the storage');

  const code = await page.locator('pre', { hasText: 'verifyWebhook' }).innerText();
  const verify = await shownCode(t, code);
  // The delivery of the first message may be told before it.
  const isTest = ({ body }: { readonly body: string }) => body.includes('webhook.test');
  const one = await eventually(async () => got.find(isTest), 'no delivery');
  t.match(JSON.stringify(verify(secret, one.headers, one.body)), 'webhook.test');
  t.throws(() => verify(secret, one.headers, `${one.body} `), /signature is wrong/);
  t.throws(() => verify('whsec_AAAA', one.headers, one.body), /signature is wrong/);
});
