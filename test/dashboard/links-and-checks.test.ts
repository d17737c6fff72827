// Campaign parameters in the settings, and the checks of an email in a campaign's review.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];
const picture = async (page: Page, name: string) => {
  if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/${name}.png` });
};

interface Attributed {
  getAttribute(name: string): string | null;
}

t.test('campaign parameters are set, and a wrong one is named', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('settings', { expects: /status of 400/ });
  const field = (name: string) => page.getByLabel(name);
  await page.locator('#utm').waitFor();
  const addresses = page
    .locator('.jump a')
    .evaluateAll((all) => all.map((one) => (one as unknown as Attributed).getAttribute('href')));
  const ids = page
    .locator('.section')
    .evaluateAll((all) =>
      all.map((one) => `#${(one as unknown as Attributed).getAttribute('id')}`),
    );
  t.same(await addresses, await ids, 'each part is linked at the top');
  await field('utm_source').fill('engage');
  await field('utm_campaign').fill('{{ first_name }}');
  await page.getByLabel('Refuse new email addresses of disposable mailboxes').check();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await page.getByText('undefined variable: first_name').first().waitFor();
  await field('utm_campaign').fill('{{ campaign }}');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await page
    .getByRole('button', { name: 'Save changes', exact: true })
    .waitFor({ state: 'hidden' });
  t.match(await place.call('GET', `/v1/apps/${place.appId}/settings`), {
    utm: { source: 'engage', medium: null, campaign: '{{ campaign }}' },
    refuseDisposableAddresses: true,
  });
  t.same(await axeFindings(page), []);
  await field('utm_source').scrollIntoViewIfNeeded();
  await picture(page, 'utm');
});

t.test('the review says what the email lacks', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const { id: messageId } = (await place.call('POST', `${app}/messages`, {
    name: 'Sale',
    title: 'Sale',
    body: '<p><a href="http://shop.example">Shop</a></p>',
  })) as { readonly id: string };
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ann',
    devices: [{ channel: 'email', endpoint: 'ann@example.com' }],
  });
  const campaign = { name: 'Spring', messageId, channels: ['email'] };
  const { id } = (await place.call('POST', `${app}/campaigns`, campaign)) as {
    readonly id: string;
  };
  for (const options of [{}, { size: phone, scheme: 'dark' as const }]) {
    const page = await place.open(`campaigns/${id}/edit?fold=review`, options);
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    const card = page.getByRole('region', { name: 'Checks of the email' });
    await card.getByText('Links use http: http://shop.example.').waitFor();
    t.equal(await card.getByRole('row').count(), 11);
    t.same(await axeFindings(page), []);
    await card.scrollIntoViewIfNeeded();
    await picture(page, `checks-${'scheme' in options ? 'phone' : 'desktop'}`);
  }
});
