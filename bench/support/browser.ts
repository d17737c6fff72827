// Headless Chromium for benches, signed in to the dashboard of a bench's server. `watched` in its
// pages is page-watch.mjs.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function openBrowser(): Promise<Browser> {
  const executablePath = places.find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium is installed');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

interface SignedInPage {
  readonly page: Page;
  close(): Promise<void>;
}

/** A window of its own, with no cache yet. */
export async function signedInPage(
  browser: Browser,
  url: string,
  apiKey: string,
): Promise<SignedInPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const answer = await context.request.post(`${url}/v1/session`, {
    data: { apiKey },
    headers: { 'x-engage-dashboard': '1', origin: url, 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
  const page = await context.newPage();
  await page.addInitScript({ path: fileURLToPath(new URL('./page-watch.mjs', import.meta.url)) });
  return { page, close: () => context.close() };
}
