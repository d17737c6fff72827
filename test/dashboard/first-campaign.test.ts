// A newcomer's first campaign on a new server: from the printed link to the message in the inbox.
// Clicks are counted, and the clock runs.

import t from 'tap';
import { eventually, startServer } from '../support/server.ts';
import { needsBrowser, openSignedOut } from './support/browser.ts';

const clicksMax = 12;
/** The goal; the test itself needs a fraction of it. */
const limitMs = 180_000;

t.test('the first campaign takes at most twelve clicks', needsBrowser, async (t) => {
  const server = await startServer(t);
  const link = await eventually(
    () => Promise.resolve(/\/dashboard(#once=\S+)/.exec(server.log())?.[1]),
    'the start prints no sign-in link',
  );
  const startedMs = Date.now();
  const page = await openSignedOut(t, server.url, `/${link}`);
  let clicks = 1; // the link itself
  const click = async (role: 'button' | 'link' | 'option', name: string | RegExp) => {
    clicks++;
    await page.getByRole(role, { name }).first().click();
  };
  const toHome = () => page.keyboard.press('g').then(() => page.keyboard.press('h'));

  await click('button', 'Add 130 sample people');
  await page.getByText('130 people added.').waitFor();
  await page.getByText('1 of 5 done').waitFor();

  await click('link', /^Write a message/);
  await click('button', /Welcome, as a push/);
  await click('button', 'Save');
  await page.waitForURL(/messages\/msg_/);

  await page.locator('h1').focus();
  await toHome();
  await page.getByText('2 of 5 done').waitFor();
  await click('link', /^Choose who gets it/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await click('button', 'Review');
  await click('button', 'Choose a message.');
  await page.getByRole('combobox', { name: 'Message' }).fill('Welcome');
  await click('option', /Welcome push/);
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.keyboard.press('Control+Enter');
  await click('button', /^Send to \d+ people$/);
  await page.getByRole('heading', { name: 'Funnel' }).waitFor();

  await eventually(async () => {
    const found = await fetch(`${server.sandboxUrl}/control/messages?limit=100`);
    const text = await found.text();
    return text.includes('sample') || text.includes('phone') ? text : undefined;
  }, 'nothing arrived in the inbox');
  const tookMs = Date.now() - startedMs;
  t.comment(`${clicks} clicks, ${tookMs} ms`);
  t.ok(clicks <= clicksMax, `${clicks} clicks`);
  t.ok(tookMs < limitMs, `${tookMs} ms`);

  await page.goto(`${server.url}/dashboard`);
  await page
    .getByRole('heading', { name: 'Sends today' })
    .or(page.getByText('Sends today'))
    .waitFor();
  await page.getByText(/^First campaign in/).waitFor({ state: 'detached' });
});
