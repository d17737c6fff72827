// Flow 6 without a mouse: a mail of blocks is begun, filled with names by completion, looked at as
// several people, sent as a test and saved.

import type { Page } from 'playwright-core';
import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { complete } from './support/completion.ts';

t.test('a mail is written, previewed and tested by keyboard alone', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  for (const [externalUserId, first_name] of [
    ['ada', 'Ada'],
    ['bela', 'Béla'],
    ['chi', 'Chi'],
  ] as const)
    await place.call('POST', `${app}/subscribers`, {
      externalUserId,
      tags: { first_name },
      devices: [{ channel: 'email', endpoint: `${externalUserId}@example.com` }],
    });
  const page = await place.open('messages');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'New message' }).waitFor();
  await tabTo(page, 'Block email');
  await page.keyboard.press('Enter');
  await page.getByText('Preview text').first().waitFor();
  await tabTo(page, 'Name');
  await page.keyboard.type('Spring mail');

  await tabTo(page, /^Text ?Write something/);
  await page.keyboard.press('Enter');
  await page.locator('.block-body .cm-content').waitFor();
  await tabTo(page, 'Text');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Hello {{ ');
  await complete(page, 'fir', 'first_name');
  await page.keyboard.press('End');
  await page.keyboard.type(', your {{ plann }} plan');
  await page.getByText('undefined variable: plann').first().waitFor();
  await page.locator('.block-body .cm-lintRange-warning').first().waitFor();

  const mail = page.frameLocator('iframe.mail-html');
  // The newest stands first.
  for (const name of ['Chi', 'Béla', 'Ada']) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await mail.getByText(`Hello ${name}`).waitFor();
  }
  await tabTo(page, 'Desktop', true);
  await page.keyboard.press('ArrowLeft');
  await page.locator('.preview-stage.phone').waitFor();
  await tabTo(page, 'Light');
  await page.keyboard.press('ArrowRight');
  await page.locator('.preview-stage.dark').waitFor();
  await page.getByText('Added automatically: an unsubscribe link').waitFor();

  await tabTo(page, /^Email ?Unsubscribe/, true);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Unsubscribe link/);
  await page.keyboard.type('None');
  await page.getByText('Marketing emails always keep the header').waitFor();
  await page.getByText('No link at the end.').waitFor();

  await page.keyboard.press('ControlOrMeta+s');
  await page.waitForURL(/messages\/msg_/);
  const saved = { items: [{ name: 'Spring mail', unsubscribe: 'none' }] };
  t.match(await place.call('GET', `${app}/messages`), saved);
  await tabTo(page, 'Send a test', true);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Send a test' }).waitFor();
  await tabTo(page, 'To');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('ada');
  await page.keyboard.press('Escape');
  await tabTo(page, 'Send test');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Send a test' }).getByText('Delivered').first().waitFor();
});

const stepsMax = 160;

/** Presses Tab (or Shift+Tab) until the focus is on what has this name. */
async function tabTo(page: Page, name: string | RegExp, isBack = false): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < stepsMax; step++) {
    const focused = await page.evaluate<string>(nameOfFocused);
    const isThere = typeof name === 'string' ? focused === name : name.test(focused);
    if (isThere) return;
    seen.push(focused);
    await page.keyboard.press(isBack ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`Tab does not reach ${String(name)}: ${[...new Set(seen)].join(' | ')}`);
}

/** As a screen reader says it, near enough. Runs in the page. */
const nameOfFocused = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const words =
    focused?.getAttribute('aria-label') ?? focused?.labels?.[0]?.textContent ?? focused?.textContent;
  return (words ?? '').replace(/\\s+/g, ' ').trim();
})()`;
