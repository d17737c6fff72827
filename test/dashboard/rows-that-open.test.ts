// Rows of lists lead somewhere: clients to their usage, opt-outs to their people.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test('a client opens with its usage and the ways to it', needsBrowser, async (t) => {
  const place = await workplace(t);
  for (const name of ['Harbour Coffee', 'Northwind'])
    await place.call('POST', '/v1/org/clients', { name });
  for (const size of [undefined, phone]) {
    const page = await place.open('/org/clients?q=Harbour', size === undefined ? {} : { size });
    const row = page.getByRole('row', { name: /Harbour Coffee/ });
    if (size === undefined) await row.press('Enter');
    else await row.getByText('Harbour Coffee').click();
    const drawer = page.getByRole('dialog', { name: 'Harbour Coffee' });
    await drawer.getByText('Active users').waitFor();
    await drawer.getByText('Emails', { exact: true }).waitFor();
    await drawer.getByRole('link', { name: 'View on your invoice' }).waitFor();
    t.match(page.url(), /client=org_/, 'a colleague sees the same');
    t.strictSame(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    t.match(page.url(), /q=Harbour$/, 'the search stays');
  }
});

t.test('an opt-out is found on all channels, and leads to its person', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const devices = [
    { channel: 'email', endpoint: 'ada@example.com' },
    { channel: 'sms', endpoint: '+14155550123' },
  ];
  await place.call('POST', `${app}/subscribers`, { externalUserId: 'ada', devices });
  for (const { channel, endpoint: address } of devices)
    await place.call('POST', `${app}/suppressions`, { channel, address });
  await place.call('POST', `${app}/suppressions`, { channel: 'email', address: 'bo@example.com' });
  const page = await place.open('suppressions');
  await page.getByText('3 addresses').first().waitFor();
  const search = page.getByRole('searchbox', { name: 'Search addresses' });
  await search.fill('1 (415)');
  await page.getByText('1 address', { exact: true }).first().waitFor();
  await page.getByRole('row', { name: /14155550123/ }).waitFor();
  await search.fill('AD');
  await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
  t.equal(await page.getByRole('row', { name: /bo@example.com/ }).count(), 0);
  t.strictSame(await axeFindings(page), []);
  await search.fill('nobody');
  await page.getByText('No matching addresses').waitFor();
  await search.fill('ada');
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.waitForURL(/people\?q=ada/);
  await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
});
