// The sandbox's inbox in a browser: the list, the reader and the panels, by mouse and by keyboard,
// while messages arrive.

import type { Page } from 'playwright-core';
import t from 'tap';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { eventually } from '../support/server.ts';
import { desk, needsBrowser } from './support/browser.ts';
import { inboxRig, openLive, rowOf, sendOfApp } from './support/inbox-rig.ts';

/** The rows of the list, by their titles. */
const titles = (page: Page) => page.locator('#list strong').allTextContents();

const panel = (page: Page, name: string) => page.getByRole('dialog', { name });

t.test('the list is searched, filtered and shown whole again', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  await sandbox.push('ada', 'Summer sale', { engageSendId: sendOfApp(7) });
  await sandbox.push('bob', 'Your order', { engageSendId: sendOfApp(8) });
  await sandbox.mail({});
  const page = await openLive(t, sandbox.url);
  await rowOf(page, 'Beans').waitFor();
  t.strictSame(await titles(page), ['Beans', 'Your order', 'Summer sale'], 'newest first');
  await page.getByRole('searchbox').fill('sale');
  await rowOf(page, 'Beans').waitFor({ state: 'detached' });
  t.strictSame(await titles(page), ['Summer sale']);
  await page.reload();
  await rowOf(page, 'Summer sale').waitFor();
  t.strictSame(await titles(page), ['Summer sale'], 'the address has the search');
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByRole('status').getByText('No messages match this search').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await rowOf(page, 'Beans').waitFor();
  t.equal(await page.getByRole('searchbox').inputValue(), '');
  await page.getByLabel('Channel').selectOption({ label: 'Email' });
  await rowOf(page, 'Your order').waitFor({ state: 'detached' });
  t.strictSame(await titles(page), ['Beans']);
});

t.test('a message narrows the list to its send and its app', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  await sandbox.push('ada', 'Of seven', { engageSendId: sendOfApp(7) });
  await sandbox.push('bob', 'Of eight', { engageSendId: sendOfApp(8) });
  const page = await openLive(t, sandbox.url, '#m1');
  for (const [button, filter] of [
    ['Only this send', `Send ${sendOfApp(7)}`],
    ['Only this app', `App of ${sendOfApp(7)}`],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await rowOf(page, 'Of eight').waitFor({ state: 'detached' });
    t.strictSame(await titles(page), ['Of seven']);
    t.match(page.url(), /#m1$/, 'the message stays open');
    await page.getByRole('button', { name: `Remove filter: ${filter}` }).click();
    await rowOf(page, 'Of eight').waitFor();
  }
  await page.getByRole('searchbox').fill('eight');
  await page.getByText('Select a message').waitFor();
  t.notMatch(page.url(), /#/, 'what the list does not have is closed');
});

t.test('the keyboard moves, opens, searches and goes back', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  await sandbox.push('ada', 'First');
  await sandbox.push('bob', 'Second');
  const page = await openLive(t, sandbox.url);
  const heading = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
  await rowOf(page, 'First').waitFor();
  await page.keyboard.press('j');
  await heading('Second');
  await page.keyboard.press('j');
  await heading('First');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await heading('Second');
  await page.keyboard.press('r');
  await page.getByRole('tab', { name: 'Raw exchange', selected: true }).waitFor();
  await page.getByText('POST /fcm/v1/projects/p/messages:send HTTP/1.1').waitFor();
  await page.keyboard.press('k');
  t.match(page.url(), /tab=raw#m2$/, 'the view stays while one moves');
  await page.keyboard.press('r');
  await page.getByRole('tab', { name: 'Preview', selected: true }).press('ArrowRight');
  await page.getByRole('tab', { name: 'Details', selected: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('jk');
  t.equal(await page.getByRole('searchbox').inputValue(), 'jk', 'letters are typed in a field');
  await page.getByRole('searchbox').fill('');
  await page.keyboard.press('Escape');
  await page.goto(`${sandbox.url}/#m1`);
  await heading('First');
  await page.keyboard.press('Escape');
  await page.getByText('Select a message').waitFor();
  await page.goBack();
  await heading('First');
});

t.test('a mail has its views, and its HTML is isolated', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  await sandbox.mail({ headers: { 'X-Twice': ['one', 'two'] } });
  const page = await openLive(t, sandbox.url, '#m1');
  const frame = page.locator('iframe');
  await frame.contentFrame().getByRole('heading', { name: 'Roasted this morning' }).waitFor();
  t.match(await frame.getAttribute('src'), '/inbox/mail/1');
  t.notMatch(await frame.getAttribute('sandbox'), /allow-(?:scripts|same-origin|forms)/);
  await page.getByRole('tab', { name: 'Plain text' }).click();
  await page.getByRole('tabpanel').getByText('Roasted', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Headers' }).click();
  const facts = await page.getByRole('tabpanel').innerText();
  t.match(facts, /recipient\s+grace@example\.com/);
  t.match(facts, /X-Twice\s+one\s+two/i, 'a header that comes twice');
  await page.getByRole('tab', { name: 'Raw exchange' }).click();
  const raw = await page.getByRole('tabpanel').innerText();
  t.match(raw, 'RCPT TO:<grace@example.com>');
  t.match(raw, /Request body \(\d+ bytes\)/);
  t.match(raw, /250 2\.0\.0|250\n/);
  await page.goto(`${sandbox.url}/#m99`);
  await page.getByText('This message is gone').waitFor();
});

t.test('attempts of a call share a row, and link to each other', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const data = { engageSendId: sendOfApp(1), engageDeviceId: 'dev_1' };
  const fault = { channel: 'fcm', fault: 'status', value: 503, count: 1 };
  await sandbox.call('POST', '/control/faults', fault);
  await sandbox.push('ada', 'Tried twice', data);
  const page = await openLive(t, sandbox.url, '#m1');
  await page.getByText('Refused with 503. The recipient never saw this message.').waitFor();
  t.equal(await page.getByRole('navigation', { name: 'Attempts' }).count(), 0);
  await sandbox.push('ada', 'Tried twice', data);
  const attempts = page.getByRole('navigation', { name: 'Attempts' });
  await attempts.getByRole('link', { name: 'Attempt 2' }).waitFor();
  t.match(await attempts.innerText(), /Attempt 1\s+[\d:]+ · 503\s+Attempt 2\s+[\d:]+ · 200/);
  await page.locator('#list').getByText('2 attempts').waitFor();
  t.equal(await page.locator('#list li').count(), 1);
  await attempts.getByRole('link', { name: 'Attempt 2' }).click();
  await page.getByText('Refused with 503').waitFor({ state: 'detached' });
  await sandbox.push('ada', 'Tried twice', data);
  await page.locator('#list').getByText('accepted 2 times').waitFor();
});

t.test('what arrives shows at once', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const page = await openLive(t, sandbox.url);
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
  await page.getByRole('button', { name: 'Send it' }).click();
  await rowOf(page, 'Hello').waitFor();
  for (let at = 0; at < 60; at++) await sandbox.push('ada', `Burst ${at}`);
  await rowOf(page, 'Burst 59').waitFor();
  await page.locator('#list li').nth(60).waitFor();
  await rowOf(page, 'Burst 3').click();
  await page.getByRole('heading', { level: 2, name: 'Burst 3' }).waitFor();
  await page.reload();
  await rowOf(page, 'Burst 3').waitFor();
  await eventually(async () => {
    const box = await rowOf(page, 'Burst 3').boundingBox();
    return (box !== null && box.y > 0 && box.y < desk.height) || undefined;
  }, 'the open message is not in sight');
  const before = await rowOf(page, 'Burst 3').boundingBox();
  await sandbox.push('ada', 'On top');
  await rowOf(page, 'On top').waitFor({ state: 'attached' });
  t.equal((await rowOf(page, 'Burst 3').boundingBox())?.y, before?.y, 'rows on top move nothing');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
  t.notMatch(page.url(), /#/);
});

t.test('a sandbox that ends is missed, and found again', needsBrowser, async (t) => {
  const before = await startSandbox({ port: 0 });
  const page = await openLive(t, before.url);
  await before.close();
  await page.getByRole('status').getByText('Reconnecting').waitFor();
  const again = await startSandbox({ port: Number(new URL(before.url).port) });
  t.teardown(() => again.close());
  await page.getByRole('status').getByText('Live').waitFor();
});

t.test('the faults panel adds, counts and removes rules', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const page = await openLive(t, sandbox.url);
  await page.getByRole('button', { name: 'Faults' }).click();
  const faults = panel(page, 'Simulated faults');
  await faults.getByText('No rules.').waitFor();
  await faults.getByLabel('Status').fill('200');
  await faults.getByRole('button', { name: 'Add rule' }).click();
  await faults.getByRole('alert').getByText('a status fault needs a code').waitFor();
  await faults.getByLabel('Status').fill('503');
  await faults.getByLabel('Channel').selectOption({ label: 'Push' });
  await faults.getByLabel('Recipient contains').fill('ada');
  await faults.getByLabel('Retry-After (s)').fill('5');
  await faults.getByLabel('Times').fill('2');
  await faults.getByRole('button', { name: 'Add rule' }).click();
  await faults.getByText('status 503, Retry-After 5 s · Push, “ada”').waitFor();
  await faults.getByText('used 0 of 2 times').waitFor();
  t.equal(await faults.getByRole('alert').count(), 0);
  await sandbox.push('ada', 'Refused');
  await faults.getByText('used 1 of 2 times').waitFor();
  await faults.getByLabel('Fault', { exact: true }).selectOption({ label: 'Never respond' });
  t.equal(await faults.getByLabel('Status', { exact: true }).count(), 0);
  const names = faults.locator('details', { hasText: 'Apple push' });
  await names.locator('summary').click();
  await names.getByText('slow…').waitFor();
  await faults.getByRole('button', { name: 'Remove rule: status 503' }).click();
  await faults.getByText('No rules.').waitFor();
  await page.keyboard.press('Escape');
  await faults.waitFor({ state: 'detached' });
});

t.test('the DNS panel takes records from the API and by hand', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const page = await openLive(t, sandbox.url, '?panel=dns');
  const dns = panel(page, 'DNS');
  const pasted = dns.getByLabel('Response of POST …/email-domains');
  await pasted.fill('no JSON');
  await dns.getByRole('button', { name: 'Add its records' }).click();
  await dns.getByRole('alert').getByText('expected the JSON of the response').waitFor();
  const records = [{ type: 'CNAME', name: 'k1.acme.example', value: 'k1.engage.example' }];
  await pasted.fill(JSON.stringify({ domain: 'acme.example', records }));
  await dns.getByRole('button', { name: 'Add its records' }).click();
  await dns.getByText('k1.engage.example').waitFor();
  const isEmpty = async () => (await pasted.inputValue()) === '' || undefined;
  t.ok(await eventually(isEmpty, 'the form is not empty again'));
  await dns.getByLabel('Name', { exact: true }).fill('not a name');
  await dns.getByLabel('Value', { exact: true }).fill('v=DMARC1; p=none');
  await dns.getByRole('button', { name: 'Add record' }).click();
  await dns.getByRole('alert').getByText('name: expected a name').waitFor();
  await dns.getByLabel('Name', { exact: true }).fill('_dmarc.acme.example');
  await dns.getByRole('button', { name: 'Add record' }).click();
  await dns.getByText('_dmarc.acme.example').waitFor();
  await page.locator('header').getByText('2', { exact: true }).waitFor();
  await dns.getByRole('button', { name: 'Remove CNAME k1.acme.example' }).click();
  await dns.getByText('k1.engage.example').waitFor({ state: 'detached' });
  await dns.getByText('the resolver answers SERVFAIL').waitFor();
});

t.test('the webhooks panel answers, checks and lists deliveries', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const page = await openLive(t, sandbox.url, '?panel=webhooks');
  const webhooks = panel(page, 'Webhooks');
  await webhooks.getByText(`${sandbox.url}/receiver`).waitFor();
  await webhooks.getByText('No deliveries yet.').waitFor();
  await webhooks.getByLabel('Answer').selectOption({ label: 'Fail (500)' });
  await webhooks.getByLabel('Signing secrets').fill('whsec_b25l\nwhsec_dHdv');
  await webhooks.getByRole('button', { name: 'Check with these' }).click();
  await webhooks.getByText('Checked with 2 secrets.').waitFor();
  const headers = { 'x-engage-event': 'message.delivered', 'x-engage-signature': 'v1=00' };
  const deliver = () => sandbox.call('POST', '/receiver', { hello: 1 }, headers);
  t.equal((await deliver()).status, 500);
  await webhooks.locator('summary').click();
  await webhooks.getByText('"hello": 1').waitFor();
  await webhooks.getByText('answered 500').waitFor();
  t.match(await webhooks.innerText(), /x-engage-event\s+message\.delivered/);
  await deliver();
  await webhooks.locator('ol > li').nth(1).waitFor();
  await webhooks.getByText('"hello": 1').nth(1).waitFor();
  t.equal(await webhooks.locator('details[open]').count(), 1, 'what was open stays open');
  await webhooks.getByRole('button', { name: 'Clear deliveries' }).click();
  await webhooks.getByText('No deliveries yet.').waitFor();
});
