// A newcomer's first campaign on a new server: from the printed link to the message in the inbox,
// by clicks alone. They are counted, and the clock runs.

import t from 'tap';
import { eventually, startServer } from '../support/server.ts';
import { needsBrowser, openSignedOut } from './support/browser.ts';

/** From the first screen on: whoever printed the link does not count. */
const clicksMax = 8;
/** The goal; the test itself needs a fraction of it. */
const limitMs = 180_000;
const push = ['fcm', 'apns', 'webpush'];

t.test('a first campaign takes at most eight clicks', needsBrowser, async (t) => {
  const server = await startServer(t);
  const link = await eventually(
    () => Promise.resolve(/\/dashboard(#once=\S+)/.exec(server.log())?.[1]),
    'the start prints no sign-in link',
  );
  const startedMs = Date.now();
  const page = await openSignedOut(t, server.url, `/${link}`);
  let clicks = 0;
  const click = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks++;
    await page.getByRole(role, { name, exact: true }).first().click();
  };

  await click('button', 'Add 130 sample people');
  await page.getByText('130 people added.').waitFor();
  await click('link', /^Write a message/);
  await click('button', 'Welcome, as a push');
  await click('button', 'Save');
  await click('link', 'Send as a campaign');
  await page.getByText('Saved', { exact: true }).waitFor();
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await summary.getByText('Android push, Apple push, and Web push').waitFor();
  await summary.getByText('Welcome push').waitFor();
  await page.getByRole('heading', { name: 'Welcome push', level: 1 }).waitFor();
  await click('button', 'Review');
  await click('button', /^Send to \d+ people$/);
  await page.getByRole('heading', { name: 'Funnel' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();

  const arrived = await eventually(async () => {
    const found = await fetch(`${server.sandboxUrl}/control/messages?limit=500`);
    const { messages } = (await found.json()) as {
      readonly messages: readonly { readonly channel: string }[];
    };
    return messages.length > 0 ? messages : undefined;
  }, 'nothing arrived in the inbox');
  t.same(
    arrived.filter(({ channel }) => !push.includes(channel)),
    [],
    'it went out as what it was written as',
  );
  const tookMs = Date.now() - startedMs;
  t.comment(`${clicks} clicks, ${tookMs} ms`);
  t.ok(clicks <= clicksMax, `${clicks} clicks`);
  t.ok(tookMs < limitMs, `${tookMs} ms`);

  await page.goto(`${server.url}/dashboard`);
  await page.getByText('Sends today').first().waitFor();
  await page.getByText(/^Your first campaign in/).waitFor({ state: 'detached' });
});
