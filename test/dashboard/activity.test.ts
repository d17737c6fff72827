// The activity of sends and the stream of events, by keyboard.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

t.test('a send appears by itself and tells its story', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const page = await place.open('activity');
  await page.getByText('No sends yet').waitFor();
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'nouser@example.com' }],
  });
  await place.call('POST', `${app}/notifications`, {
    externalUserId: 'ada',
    title: 'Your order',
    body: 'It is on its way',
  });
  const row = page.getByRole('row', { name: /Your order/ });
  await row.waitFor();
  await row.getByText('Bounced').waitFor();
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  t.match(await page.getByRole('main').innerText(), /accepted the message/);
  t.strictSame(await axeFindings(page), []);
  await page.goBack();
  await row.waitFor();
});

t.test('filters stand in the address, and none that match say so', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('activity?status=failed');
  await page.getByText('No send matches these filters').waitFor();
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Any outcome');
  await page.getByText('No sends yet').waitFor();
  t.notMatch(page.url(), 'status');
});

t.test('an event opens beside the stream, with its properties', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('events');
  await page.getByText('No events yet').waitFor();
  await place.call('POST', '/e', {
    appId: place.appId,
    events: [{ name: 'order_placed', externalUserId: 'ada', props: { total: 42 } }],
  });
  const row = page.getByRole('row', { name: /order_placed/ });
  await row.waitFor();
  await row.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'order_placed' });
  await drawer.getByText('42').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  t.notMatch(page.url(), 'event=');
});

t.test('an address is suppressed, found and allowed again', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('suppressions', { expects: /status of 400/ });
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Add address' });
  await dialog.getByLabel('Address').fill('not an address');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Address').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('ada@example.com').waitFor();
  await page.getByRole('button', { name: 'Allow again' }).click();
  const question = page.getByRole('dialog', { name: /ada@example\.com/ });
  await question.getByRole('button', { name: 'Allow again' }).click();
  await page.getByText('Nobody is suppressed').waitFor();
  t.pass('the list is empty again');
});
