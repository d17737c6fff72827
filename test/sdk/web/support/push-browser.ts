// A whole Chromium, which has web push: the headless shell of other tests has none. It finds its
// vendor's push service in the sandbox.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import type { Test } from 'tap';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chromiumPath = process.env['ENGAGE_TEST_WHOLE_CHROMIUM'] ?? places.find(existsSync);

/** An option of `t.test`: skips where there is none, which CI never allows. */
export const needsWholeBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined
    ? { skip: 'no whole Chromium is installed; ENGAGE_TEST_WHOLE_CHROMIUM names one' }
    : {};

export async function pushBrowser(t: Test, sandboxUrl: string): Promise<BrowserContext> {
  const answer = await fetch(`${sandboxUrl}/control/webpush/browsers`, { method: 'POST' });
  const { switches } = (await answer.json()) as { readonly switches: readonly string[] };
  const profile = mkdtempSync(join(tmpdir(), 'engage-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    headless: true,
    // With it the browser would not look for its push service.
    ignoreDefaultArgs: ['--disable-background-networking'],
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...switches,
    ],
  });
  t.teardown(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  });
  return context;
}
