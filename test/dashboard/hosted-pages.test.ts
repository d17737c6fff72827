// The pages that people see: a sign-up form, the confirmation and the preference center, in a
// browser, on a desk and a phone, light and dark.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { client, eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, openSignedOut, phone, workplace } from './support/browser.ts';

/** Where pictures of the pages go, for whoever wants to look. */
const pictures = process.env['HOSTED_PICTURES'];

async function look(t: Test, page: Page, name: string): Promise<void> {
  for (const [where, size] of [
    ['desk', desk],
    ['phone', phone],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      t.same(await axeFindings(page), [], `${name}, ${where}, ${colorScheme}`);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(wide <= 0, `${name} fits ${where}`);
      if (pictures !== undefined)
        await page.screenshot({
          path: `${pictures}/${name}-${where}-${colorScheme}.png`,
          fullPage: true,
        });
    }
}

/** The first link to a page of ours in the newest mail with this subject. */
async function linkIn(sandbox: ReturnType<typeof client>, title: string, pathname: string) {
  return await eventually(
    async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=10');
      const id = messages.find((one: { title: string }) => one.title === title)?.id;
      if (id === undefined) return undefined;
      const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
      const joined = String(exchange.requestBody)
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=');
      return new RegExp(`https?:[^"\\s<>]+/${pathname}/[\\w-]+`).exec(joined)?.[0];
    },
    () => `no mail ${title}`,
  );
}

t.test('who gets a message about a topic leaves that topic, or all', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const sandbox = client(place.sandboxUrl);
  await place.call('POST', `${app}/topics`, { key: 'offers', name: 'Offers', default: 'in' });
  const devices = [{ channel: 'email', endpoint: 'bob@example.com' }];
  await place.call('POST', `${app}/subscribers`, { externalUserId: 'bob', devices });
  const content = { title: 'Half price', body: 'Today.' };
  const message = (await place.call('POST', `${app}/messages`, content)) as { readonly id: string };
  const campaign = { messageId: message.id, topic: 'offers' };
  const made = (await place.call('POST', `${app}/campaigns`, campaign)) as { readonly id: string };
  await place.call('POST', `${app}/campaigns/${made.id}/send`, {});
  const link = await linkIn(sandbox, 'Half price', 'u');
  const page = await openSignedOut(t, place.url, '/', { expects: /404|Not Found/ });
  await page.goto(link);
  await look(t, page, 'leave-topic');
  await page.goto(`${link}?language=ar`);
  await look(t, page, 'leave-topic-ar');
  await page.goto(link);
  await page.getByRole('button', { name: 'Only “Offers”' }).click();
  await page.getByText('will no longer get “Offers”').waitFor();
  await look(t, page, 'left-topic');
  await page.getByRole('button', { name: 'Stop all emails' }).click();
  await page.getByText('will no longer get these emails').waitFor();
  for (const path of ['p/x', 'f/frm_x', 'confirm/x']) {
    await page.goto(`${place.url}/${path}`);
    await look(t, page, `wrong-${path.replace('/', '-')}`);
  }
});

t.test('a visitor signs up, confirms, and chooses', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const sandbox = client(place.sandboxUrl);
  await place.call('POST', `${app}/topics`, {
    key: 'news',
    name: 'Product news',
    description: 'What is new, once a month.',
    doubleOptIn: true,
  });
  await place.call('POST', `${app}/topics`, { key: 'offers', name: 'Offers', default: 'in' });
  const made = (await place.call('POST', `${app}/forms`, {
    key: 'newsletter',
    name: 'Our newsletter',
    consent: 'I want news about products by email. I can unsubscribe at any time.',
    topics: ['news'],
    fields: [
      { tag: 'first_name', label: 'First name', type: 'text', required: true },
      { tag: 'beta', label: 'Try new things', type: 'checkbox' },
    ],
  })) as { readonly path: string };
  const page = await openSignedOut(t, place.url, '/', { expects: /422|Unprocessable/ });
  await page.goto(`${place.url}${made.path}`);
  await look(t, page, 'form');
  await page.getByLabel('Email address').fill('nobody');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('such as ann@example.com').waitFor();
  await look(t, page, 'form-wrong');
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('I want news').check();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await look(t, page, 'check-mail');
  const link = await eventually(
    async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=10');
      const id = messages[0]?.id;
      if (id === undefined) return undefined;
      const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
      const joined = String(exchange.requestBody)
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=');
      return /https?:[^"\s]+\/confirm\/[\w-]+/.exec(joined)?.[0];
    },
    () => 'no mail',
  );
  await page.goto(link);
  await look(t, page, 'confirm');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'that is confirmed' }).waitFor();
  await look(t, page, 'confirmed');
  const { items } = (await place.call('GET', `${app}/subscribers?address=ann%40example.com`)) as {
    readonly items: readonly { readonly id: string }[];
  };
  await place.call('POST', `${app}/notifications`, {
    subscriberId: items[0]?.id,
    channels: ['email'],
    title: 'Settings',
    body: 'Here: {{ preferences_url }}',
  });
  const own = await eventually(
    async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=10');
      const id = messages.find((one: { title: string }) => one.title === 'Settings')?.id;
      if (id === undefined) return undefined;
      const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
      const joined = String(exchange.requestBody)
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=');
      return /https?:[^"\s<]+\/p\/[\w-]+/.exec(joined)?.[0];
    },
    () => 'no second mail',
  );
  await page.goto(own);
  await look(t, page, 'preferences');
  await page.getByLabel('Offers').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your choices are saved.').waitFor();
  await page.getByRole('button', { name: 'Nothing at all' }).click();
  await page.getByText('You get no news').waitFor();
  await look(t, page, 'preferences-nothing');
});

t.test(
  'a form with a redirect goes on to the site, also through a redirect of its own',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url === '/thanks') response.end('<p>Thank you</p>');
      else response.writeHead(302, { location: '/thanks' }).end();
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    t.teardown(() => site.close());
    const { port } = site.address() as AddressInfo;
    const made = (await place.call('POST', `/v1/apps/${place.appId}/forms`, {
      key: 'with-redirect',
      name: 'Our newsletter',
      consent: 'I want news.',
      redirectUrl: `http://127.0.0.1:${port}/begin`,
    })) as { readonly path: string };
    // A page of its own: the first one may call only this server.
    const first = await openSignedOut(t, place.url, '/', {});
    const page = await first.context().newPage();
    await page.goto(`${place.url}${made.path}`);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Fill in this field.').first().waitFor();
    await page.getByLabel('Email address').fill('bo@example.com');
    await page.getByLabel('I want news').check();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Thank you').waitFor();
    t.equal(page.url(), `http://127.0.0.1:${port}/thanks`);
  },
);
