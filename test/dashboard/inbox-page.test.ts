// The sandbox's inbox as a page: hostile content runs nothing in it, axe finds nothing, everything
// fits, and a phone shows one thing at a time.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, openInbox, phone } from './support/browser.ts';
import { inboxRig, openLive, rowOf, sendOfApp } from './support/inbox-rig.ts';
import { fits } from './support/screen-list.ts';

t.test('hostile content stays inert', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  const script = "parent.ran = 1; window.ran = 1; top.location = 'about:blank#ran'";
  const attack = `"><script>${script}</script><img src="x:" onerror="${script}"><a href="javascript:${script}">x</a>`;
  await sandbox.mail({
    from: { name: attack, address: 'eve@acme.test' },
    subject: attack,
    text: attack,
    html: `${attack}<form action="/control/messages"><input name=x></form>`,
    headers: { 'X-Attack': attack },
  });
  await sandbox.push(attack, attack, { deepLink: `javascript:${script}` });
  const refusals = /Content Security Policy|Blocked script|sandboxed|ERR_UNKNOWN_URL_SCHEME/;
  const page = await openInbox(t, sandbox.url, '#m1', { expects: refusals });
  for (const address of ['', '#m1', '?tab=text#m1', '?tab=details#m1', '?tab=raw#m1', '#m2']) {
    await page.goto(`${sandbox.url}/${address}`);
    await page.locator('#list li').first().waitFor();
    if (address.includes('#')) await page.getByRole('tabpanel').waitFor();
    if (address === '#m1')
      await page.locator('iframe').contentFrame().getByRole('textbox').waitFor();
    t.equal(await page.evaluate('window.ran'), undefined, address);
    t.equal(await page.locator('[href^="javascript:" i]').count(), 0, address);
  }
  t.match(
    await page.getByRole('heading', { level: 2 }).innerText(),
    '<script>',
    'words stay words',
  );
});

t.test('axe finds nothing, and everything fits', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  for (const size of [desk, phone]) {
    const page = await openInbox(t, sandbox.url, '', { size });
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    t.strictSame(await axeFindings(page), [], 'empty');
    await fits(t, page, 'empty');
  }
  await sandbox.push('ada', 'A title of several words. '.repeat(9), { engageSendId: sendOfApp(1) });
  await sandbox.push('dead-1', 'Refused', { engageSendId: sendOfApp(2) });
  await sandbox.mail({});
  await sandbox.call('POST', '/control/faults', { fault: 'latency', value: 1, count: 9 });
  const value = 'v=DMARC1; '.repeat(30);
  await sandbox.call('POST', '/control/dns', { name: '_dmarc.acme.example', value });
  await sandbox.call('POST', '/receiver', { hello: 1 });
  for (const size of [desk, phone]) {
    const page = await openLive(t, sandbox.url, '', { size });
    for (const address of [
      ...['', '?q=nothing-like-it', '#m1', '#m2', '#m3', '?tab=details#m3', '?tab=raw#m3'],
      ...['?panel=faults', '?panel=dns', '?panel=webhooks'],
    ]) {
      const name = `${size.width} ${address}`;
      await page.goto(`${sandbox.url}/${address}`);
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      if (address.includes('#')) await page.getByRole('tabpanel').waitFor();
      if (address.includes('panel')) await page.getByRole('dialog').waitFor();
      if (address === '#m3') await page.locator('iframe').waitFor();
      t.strictSame(await axeFindings(page), [], name);
      await fits(t, page, name);
      await page.emulateMedia({ colorScheme: 'dark' });
      t.strictSame(await axeFindings(page, ['color-contrast']), [], `${name}, dark`);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  }
});

t.test('on a phone the list and the reader take turns', needsBrowser, async (t) => {
  const sandbox = await inboxRig(t);
  await sandbox.push('ada', 'First', { engageSendId: sendOfApp(1) });
  const page = await openInbox(t, sandbox.url, '', { size: phone });
  await rowOf(page, 'First').tap();
  await page.getByRole('heading', { level: 2, name: 'First' }).waitFor();
  t.notOk(await page.locator('#list').isVisible());
  await page.getByRole('button', { name: 'Back to the list' }).tap();
  await rowOf(page, 'First').tap();
  await page.getByRole('button', { name: 'Only this send' }).tap();
  await page.getByRole('button', { name: 'Remove filter' }).waitFor();
  t.ok(await page.locator('#list').isVisible(), 'a filter leads back to the list');
});
