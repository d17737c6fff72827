// People have names: where they are listed, on their page, in the palette, and in a search.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';
import { fits, whenSettled } from './support/screen-list.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];

t.test('a person is found by name, and shown with it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const people = [
    ['customer-1', { first_name: 'Nguyễn Thị', last_name: 'Hồng' }],
    ['customer-2', { name: 'Søren Kierkegaard' }],
    ['customer-3', {}],
  ] as const;
  for (const [externalUserId, tags] of people)
    await place.call('POST', `${app}/subscribers`, {
      externalUserId,
      tags,
      devices: [{ channel: 'email', endpoint: `${externalUserId}@example.com` }],
    });
  const { id } = (await place.call('POST', `${app}/notifications`, {
    externalUserId: 'customer-1',
    title: 'Hello',
    body: 'There',
  })) as { readonly id: string };

  const page = await place.open('people');
  const row = (name: string) => page.getByRole('row', { name });
  await row('Nguyễn Thị Hồng customer-1').waitFor();
  await row('Søren Kierkegaard customer-2').waitFor();
  await page.getByRole('searchbox').fill('hong');
  await row('customer-2').waitFor({ state: 'detached' });
  await row('Nguyễn Thị Hồng').click();
  await page.getByRole('heading', { name: 'Nguyễn Thị Hồng', level: 1 }).waitFor();
  await whenSettled(page);
  t.strictSame(await axeFindings(page), []);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('soren');
  await page.getByRole('option', { name: /Søren Kierkegaard/ }).click();
  await page.getByRole('heading', { name: 'Søren Kierkegaard', level: 1 }).waitFor();

  for (const size of [desk, phone])
    for (const screen of ['people', 'people/external:customer-1', 'activity', `activity/${id}`]) {
      const page = await place.open(screen, { size });
      await page.getByText('Nguyễn Thị Hồng').first().waitFor();
      await whenSettled(page);
      const name = `${screen.replace(/[^a-z]+/g, '-')}-${size.width}`;
      await fits(t, page, name);
      if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/n-${name}.png` });
      await page.close();
    }
});

t.test('the tags that make a name are a setting', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: 'company-1',
    tags: { company: 'Harbour GmbH', city: 'Hamburg' },
  });
  const page = await place.open('settings');
  await page.getByLabel('Tags for names of people').fill('company, city');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  const people = await place.open('people');
  await people.getByRole('row', { name: 'Harbour GmbH Hamburg company-1' }).waitFor();
});
