// Flags and in-app messages in the browser.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

t.test('a flag is made, switched, and says who gets it', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: 'ada' });
  const page = await place.open('flags/new');
  t.strictSame(await axeFindings(page), []);
  await page.getByLabel('Key', { exact: true }).fill('new-checkout');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/flags\/new-checkout/);
  await page.getByLabel('Person', { exact: true }).fill('ada');
  await page.getByText('The flag is off for everyone.').waitFor();
  await page.keyboard.press('Tab');
  await page.locator('.popup').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Flags' }).first().click();
  await page.getByRole('switch', { name: 'new-checkout is on' }).click();
  await page.getByText('new-checkout is on.').waitFor();
  const flag = await place.call('GET', `/v1/apps/${place.appId}/flags/new-checkout`);
  t.match(flag, { enabled: true });
});

t.test('an in-app message shows how it looks and is saved', needsBrowser, async (t) => {
  const place = await workplace(t);
  const message = { name: 'Hello', title: 'Welcome back', body: 'Look what is new.' };
  const { id } = (await place.call('POST', `/v1/apps/${place.appId}/messages`, message)) as {
    readonly id: string;
  };
  const page = await place.open(`inapp/new?message=${id}`);
  await page.locator('.inapp-card').getByText('Welcome back').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/inapp\/iam_/);
  t.match(await place.call('GET', `/v1/apps/${place.appId}/in-app-messages`), {
    items: [{ messageId: id, show: 'popup' }],
  });
});
