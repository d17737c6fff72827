// A sandbox with an inbox that tests open in a browser, and ways to send messages to it.

import { createTransport } from 'nodemailer';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { withSandbox } from '../../sandbox/with-sandbox.ts';
import { openInbox, type PageOptions } from './browser.ts';

/** A send of an app, by the app's number below ten. */
export const sendOfApp = (app: number) => `ntf_${'0'.repeat(6)}${app}${'0'.repeat(19)}`;

/** It ends with the test. */
export async function inboxRig(t: Test) {
  const sandbox = await withSandbox(t);
  const transport = createTransport(sandbox.smtpUrl);
  t.teardown(() => transport.close());
  return {
    ...sandbox,
    push: (token: string, title: string, data: object = {}) =>
      sandbox.call(
        'POST',
        '/fcm/v1/projects/p/messages:send',
        { message: { token, notification: { title, body: `To ${token}` }, data } },
        { authorization: 'Bearer sandbox' },
      ),
    mail: (more: object) =>
      transport.sendMail({
        from: 'Acme <hello@acme.test>',
        to: 'grace@example.com',
        subject: 'Beans',
        text: 'Roasted',
        html: '<h1>Roasted this morning</h1>',
        ...more,
      }),
  };
}

/** A row of the list, by its title. */
export function rowOf(page: Page, title: string): Locator {
  return page.locator('#list').getByText(title, { exact: true });
}

/** What a browser says of an answer that is none. */
const noAnswer = /Failed to load resource/;

/** The page once it follows the sandbox. */
export async function openLive(
  t: Test,
  url: string,
  address = '',
  options: PageOptions = {},
): Promise<Page> {
  const page = await openInbox(t, url, address, { expects: noAnswer, ...options });
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  return page;
}
