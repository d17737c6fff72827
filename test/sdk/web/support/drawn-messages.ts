// Pictures of in-app messages as the built module draws them on a page that stands still: each kind
// on a desk and on a phone, in both schemes.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { newContext, phone } from '../../../dashboard/support/browser.ts';
import { type Drawn, signatureOf } from '../../../dashboard/support/picture-signature.ts';
import { pixelsOf } from '../../../dashboard/support/png.ts';
import { fontFile } from '../../../dashboard/support/still-place.ts';
import { root } from '../../../support/places.ts';

/** One of what the web SDK draws on a page. */
export interface DrawnPicture {
  /** `modal-1024-dark`. */
  readonly name: string;
  readonly page: Page;
  readonly png: Buffer;
  readonly drawn: Drawn;
}

export const messagesFile = 'test/fixtures/in-app-pictures.json';

const desk = { width: 1024, height: 640 };
const kinds = ['modal', 'banner', 'card', 'push-prompt'] as const;
const blockSide = 20;
const site = 'http://127.0.0.1:8400';

const shop = `<!doctype html><html lang="en"><title>Shop</title>
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<style>body { font: 16px/1.5 sans-serif; margin: 32px }</style>
<main><h1>Shoes for all weathers</h1><p>Made in small numbers, mended for a lifetime.</p></main></html>`;
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="160">
<rect width="420" height="160" fill="#2a9d8f"/><circle cx="210" cy="80" r="50" fill="#e9c46a"/></svg>`;

/** In the page: the module and a host that shows one message. */
const showing = (kind: string) => `import('/in-app.js').then(({InAppShow}) => new InAppShow({
  session: {state: {}, config: {branding: {accentColor: '#0b6e4f'}},
    change: async () => {}, track: async () => ''},
  messages: async () => [{
    id: 'iam_1', title: 'Rain is coming', body: 'Boots are back in all sizes.\\nOnly this week.',
    image: '${kind === 'push-prompt' ? '' : '/picture.svg'}', deepLink: null,
    buttons: [{id: 'see', label: 'See boots'}, {id: 'later', label: 'Later'}],
    data: {}, priority: 1, since: '', endAt: null, display: {kind: '${kind}'}}],
  happened: [], mayShow: () => true, isPaused: () => false, canSubscribe: () => true,
  subscribe: async () => {}}).refresh())`;

export async function* drawnMessages(t: Test): AsyncGenerator<DrawnPicture> {
  const folder = mkdtempSync(join(tmpdir(), 'engage-messages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const script = readFileSync(join(root, 'dist/web-sdk/in-app.js'), 'utf8');
  const files: Readonly<Record<string, readonly [contentType: string, body: string]>> = {
    '/': ['text/html', shop],
    '/in-app.js': ['text/javascript', script],
    '/picture.svg': ['image/svg+xml', picture],
  };
  for (const size of [desk, phone]) {
    const context = await newContext(t, { size, fonts: fontFile(folder) });
    await context.route(`${site}/**`, (route) => {
      const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ['', ''];
      return route.fulfill({ contentType, body });
    });
    for (const kind of kinds)
      for (const scheme of ['light', 'dark'] as const) {
        const page = await context.newPage();
        page.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(`${site}/`);
        await page.evaluate(showing(kind));
        await page.locator('engage-in-app .box').waitFor();
        await page.waitForFunction(`[...document.querySelector('engage-in-app').shadowRoot
          .querySelectorAll('img')].every(({complete, naturalWidth}) => complete && naturalWidth)`);
        const png = await page.screenshot();
        const drawn = signatureOf(pixelsOf(png), blockSide);
        yield { name: `${kind}-${size.width}-${scheme}`, page, png, drawn };
        await page.close();
      }
  }
}
