// The activity of sends and the stream of events, by keyboard.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

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

t.test('a failure says its reason, is sent again, and heals', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  for (const name of ['busy1', 'busy2']) {
    await place.call('POST', `${app}/subscribers`, {
      externalUserId: name,
      devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
    });
    await place.call('POST', `${app}/notifications`, {
      externalUserId: name,
      title: `Receipt for ${name}`,
      body: 'Thank you',
      ttlSeconds: 1,
    });
  }
  const page = await place.open('activity?status=failed');
  const row = page.getByRole('row', { name: /Receipt for busy1/ });
  await row.getByText('The message expired before it could be sent').waitFor();
  await page.getByRole('row', { name: /Receipt for busy2/ }).waitFor();
  await page.getByRole('tab', { name: 'Failures' }).click();
  const reasons = page.getByRole('list', { name: 'Failures by reason' });
  await reasons.getByText('2 failed').waitFor();
  const channel = await reasons.getByRole('link', { name: 'Email' }).getAttribute('href');
  t.equal(channel, `/dashboard/${place.appId}/channels/email`);
  t.strictSame(await axeFindings(page), []);

  await page.getByRole('button', { name: 'Redrive all 2' }).click();
  const dialog = page.getByRole('dialog');
  t.match(await dialog.innerText(), /sent again unchanged/);
  await dialog.getByRole('button', { name: 'Redrive 2' }).click();
  await page.getByText('2 messages are being sent again.').waitFor();
  await dialog.waitFor({ state: 'hidden' });
});

t.test('one send names its person and can be sent again', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'busy3',
    devices: [{ channel: 'email', endpoint: 'busy3@example.com' }],
  });
  const { id } = (await place.call('POST', `${app}/notifications`, {
    externalUserId: 'busy3',
    title: 'Your receipt',
    body: 'Thank you',
    ttlSeconds: 1,
  })) as { readonly id: string };
  const page = await place.open(`activity/${id}`, { size: phone, scheme: 'dark' });
  await page.getByRole('heading', { level: 1, name: 'Your receipt' }).waitFor();
  await page.getByRole('button', { name: 'Redrive' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Redrive 1' }).tap();
  await page.getByText('One message is being sent again.').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('link', { name: 'busy3' }).tap();
  await page.getByRole('heading', { level: 1, name: /busy3/ }).waitFor();
  t.match(page.url(), /people\/sub_/);
});

t.test('space pauses the list, which then counts what waits', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const send = (title: string) =>
    place.call('POST', `${app}/notifications`, { externalUserId: 'ada', title, body: 'Hello' });
  await send('The first');
  const page = await place.open('activity');
  const first = page.getByRole('row', { name: /The first/ });
  await first.focus();
  await page.keyboard.press(' ');
  await page.getByText('Paused', { exact: true }).waitFor();
  await send('The second');
  await page.getByText('Paused: one new send').waitFor();
  t.equal(await page.getByRole('row', { name: /The second/ }).count(), 0);
  await page.keyboard.press(' ');
  await page.getByRole('row', { name: /The second/ }).waitFor();
  const focused = await page.locator('[role=row]:focus').innerText();
  t.match(focused, /The first/, 'the focus stays on its row, though another came above it');
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
  await drawer.getByText('42', { exact: true }).waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  t.notMatch(page.url(), 'event=');
});

t.test('the snippets of an event run as copied', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('events?name=seat_taken');
  await page.getByRole('button', { name: 'Send events' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send events' });
  await dialog.getByText('Browser or Node').click();
  const code = await dialog.locator('pre').innerText();
  t.match(code, place.appId);
  t.strictSame(await axeFindings(page), []);
  await new Function(`return (async () => { ${code} })()`)();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /seat_taken/ }).waitFor();
  t.notMatch(page.url(), 'how=');
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
  await page.getByText('No suppressed addresses').waitFor();
  t.pass('the list is empty again');
});

t.test('who opted out is shown with what ended, since when and how', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const address = 'out@example.com';
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'out',
    devices: [{ channel: 'email', endpoint: address }],
  });
  await place.call('POST', `${app}/suppressions`, { channel: 'email', address });
  const { id } = (await place.call('POST', `${app}/notifications`, {
    externalUserId: 'out',
    title: 'Receipt',
    body: 'Thank you',
  })) as { readonly id: string };
  const page = await place.open(`activity/${id}`);
  await page.getByText('Opted out of everything').waitFor();
  const link = page.getByRole('link', { name: /^Since .* through the API or dashboard/ });
  t.match(await link.getAttribute('href'), /suppressions\?channel=email&q=out%40example\.com/);
  t.strictSame(await axeFindings(page), []);

  await place.call('POST', `${app}/suppressions`, {
    ...{ channel: 'email', address: 'half@example.com', scope: 'marketing', reason: 'by letter' },
  });
  const narrow = await place.open('suppressions', { size: phone });
  const row = narrow.getByRole('row', { name: /half@example\.com/ });
  await row.getByText(/marketing only.*Email/).waitFor();
  await narrow.getByRole('row', { name: /out@.*all messages/ }).waitFor();
  await row.getByRole('button', { name: 'Allow again' }).click();
  const question = narrow.getByRole('dialog', { name: 'Send to half@example.com again?' });
  await question.getByText('by letter').waitFor();
  await question.getByText('through the API or dashboard').waitFor();
  t.strictSame(await axeFindings(narrow), []);
});
