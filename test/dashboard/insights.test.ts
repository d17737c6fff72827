// Reports lead to the people behind their numbers, and stand in the address.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test(
  'a funnel leads to its people, and a report stays in the address',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const send = (name: string, person: string) =>
      place.call('POST', '/e', {
        appId: place.appId,
        events: [{ name, externalUserId: person }],
      });
    for (const person of ['ada', 'grace'])
      await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: person });
    await send('basket', 'ada');
    await send('basket', 'grace');
    await send('order', 'ada');

    const funnel = await place.open('insights?tab=funnel&steps=basket,order&days=7');
    await funnel
      .getByRole('link', { name: 'View people who did basket but not order in 7 days' })
      .click();
    await funnel.getByRole('link', { name: 'grace' }).waitFor();
    t.equal(await funnel.getByRole('link', { name: 'ada' }).count(), 0);

    const trends = await place.open('insights?tab=trends&events=order&interval=week', {
      size: phone,
      scheme: 'dark',
    });
    await trends.getByRole('radio', { name: 'Weeks', checked: true }).waitFor();
    await trends.getByRole('group', { name: 'Trends' }).waitFor();
    await trends.keyboard.press('t');
    await trends.getByRole('columnheader', { name: 'order' }).waitFor();
    t.match(trends.url(), /view=table/);
    t.strictSame(await axeFindings(trends), []);
  },
);

t.test(
  "the app's own events come first, and those that Engage records behind a heading",
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const send = (name: string, person: string) =>
      place.call('POST', '/e', {
        appId: place.appId,
        events: [{ name, externalUserId: person }],
      });
    for (const person of ['ada', 'grace']) await send('opened', person);
    await send('order', 'ada');

    const trends = await place.open('insights?tab=trends');
    await trends.getByRole('link', { name: 'order' }).waitFor();
    t.equal(await trends.getByRole('link', { name: 'opened' }).count(), 0);
    await trends.getByRole('radio', { name: 'Recorded by Engage' }).click();
    await trends.getByRole('link', { name: 'opened' }).waitFor();
    t.match(trends.url(), /of=engage/);
    t.strictSame(await axeFindings(trends), []);

    await trends.getByRole('combobox', { name: 'Add an event' }).click();
    await trends.getByRole('group', { name: 'Recorded by Engage' }).waitFor();
    t.strictSame(
      (await trends.getByRole('option').allTextContents()).map((text) => text.replace(/\d+$/, '')),
      ['order', 'opened'],
    );

    const catalog = await place.open('events?tab=catalog', { size: phone });
    await catalog.getByText('order', { exact: true }).waitFor();
    t.equal(await catalog.getByText('opened', { exact: true }).count(), 0);
    await catalog.getByRole('radio', { name: 'Recorded by Engage' }).click();
    await catalog.getByText('opened', { exact: true }).waitFor();
    t.equal(await catalog.getByRole('button', { name: 'Forget this name' }).count(), 0);
    t.strictSame(await axeFindings(catalog), []);
    const search = catalog.getByRole('searchbox', { name: 'Search event names' });
    await search.fill(' OPEN');
    await catalog.getByText('opened', { exact: true }).waitFor();
    await search.fill('nothing is called so');
    await catalog.getByText('No event name contains this text').waitFor();
  },
);

t.test('best hours without any say so, for each figure', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('insights?tab=heatmap&days=7');
  await page.getByText('No message was delivered in the last 7 days').waitFor();
  t.strictSame(await axeFindings(page), []);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const body = { externalUserId: 'ada', title: 'Hello', body: 'There' };
  await place.call('POST', `${app}/notifications`, body);
  // It is read again until the delivery is counted.
  await t.test('counted', async () => {
    for (;;) {
      await page.reload();
      await page.locator('.empty, .week, [role=radio], input[type=radio]').first().waitFor();
      if ((await page.getByRole('radio', { name: 'Deliveries' }).count()) > 0) break;
    }
  });
  for (const figure of ['Opens', 'Open rate'])
    await t.test(figure, async (t) => {
      await page.locator('label', { hasText: new RegExp(`^${figure}$`) }).click();
      await page.getByText('No one opened a message in the last 7 days').waitFor();
      t.equal(await page.getByRole('table').count(), 0, 'no table without a figure');
      t.strictSame(await axeFindings(page), []);
    });
  await page.locator('label', { hasText: /^Clicks$/ }).click();
  await page.getByText('No one clicked a message in the last 7 days').waitFor();
  await page.locator('label', { hasText: /^Deliveries$/ }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
});
