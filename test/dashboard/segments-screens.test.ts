// Segments in the browser: the filter builder with its counts, saving, explaining, deleting.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test('segments', needsBrowser, async (t) => {
  const place = await workplace(t, 'Segments');
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', '/v1/import/subscribers', {
    appId: place.appId,
    rows: Array.from({ length: 40 }, (_, at) => ({
      externalUserId: `s-${at}`,
      tags: { plan: at % 2 === 0 ? 'pro' : 'free', age: at },
      ...(at % 4 === 0 ? { devices: [{ channel: 'email', endpoint: `s${at}@example.com` }] } : {}),
    })),
  });

  await t.test('none yet: examples of what people have now', async (t) => {
    const page = await place.open('segments');
    await page.getByText('No segments yet').waitFor();
    await page.getByRole('link', { name: /plan is (pro|free)/ }).click();
    await page.locator('.audience-number strong', { hasText: '20' }).waitFor();
    t.same(await axeFindings(page), []);
  });

  await t.test('is made by keyboard, counted while typing, and saved', async (t) => {
    const page = await place.open('segments/new');
    await page.keyboard.type('Pros with email');
    await page.getByRole('button', { name: 'Add condition' }).press('Enter');
    await page.keyboard.type('plan');
    await page.keyboard.press('Tab');
    await page.getByText('One condition is incomplete').waitFor();
    await page.getByRole('combobox', { name: 'Value' }).fill('pro');
    await page.keyboard.press('Tab');
    await page.getByText('20 alone').waitFor();
    await page.getByRole('button', { name: 'Add condition' }).press('Enter');
    await page.getByRole('combobox', { name: 'Condition type' }).nth(1).selectOption('Channel');
    await page.getByText('10 left').waitFor();
    t.match(await page.locator('.audience-count').innerText(), /10\s+of 40 people/);
    t.match(await page.locator('.audience-reach').innerText(), /Email\s+10/);
    t.same(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('Segment created.').waitFor();
    t.match(page.url(), /segments\/seg_/);
    const { items } = (await place.call('GET', `${app}/segments`)) as {
      readonly items: readonly { readonly filter: unknown }[];
    };
    t.same(items[0]?.filter, { all: [{ tag: 'plan', eq: 'pro' }, { channel: 'email' }] });
  });

  await t.test('form and JSON are the same filter', async (t) => {
    const page = await place.open('segments/new', { expects: /400/ });
    await page.getByText('JSON', { exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Filter as JSON' });
    await text.fill('{"any":[{"tag":"plan","eq":"free"},{"event":"order","withinDays":900}]}');
    await page.getByText(/expected a whole number of days/).waitFor();
    await page.getByText('Form', { exact: true }).click();
    const row = page.getByRole('group', { name: /^Condition: did order/ });
    await row.getByText(/expected a whole number of days/).waitFor();
    await row.getByRole('spinbutton', { name: 'Days' }).fill('30');
    await page.locator('.audience-number strong', { hasText: '20' }).waitFor();
    await page.getByText('JSON', { exact: true }).click();
    t.match(JSON.parse(await text.inputValue()), { any: [{}, { event: 'order', withinDays: 30 }] });
    await text.fill('{"any":');
    await page.getByText(/Not applied yet/).waitFor();
    t.equal(await text.inputValue(), '{"any":');
  });

  await t.test('explains a person, names what uses it, and is deleted', async (t) => {
    const made = (await place.call('POST', `${app}/segments`, {
      name: 'To go',
      filter: { all: [{ tag: 'plan', eq: 'pro' }, { channel: 'email' }] },
    })) as { readonly id: string };
    const page = await place.open(`segments/${made.id}?person=s-2`);
    await page.getByText('Is not in this segment').waitFor();
    await page.getByText('The person has no device on this channel.').waitFor();
    await page.getByText('Not used yet.').waitFor();
    t.same(await axeFindings(page), []);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete segment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click();
    await page.getByText('“To go” deleted.').waitFor();
    t.match(page.url(), /\/segments$/);
  });

  await t.test('stacks on a phone', async (t) => {
    const page = await place.open('segments/new', { size: phone, scheme: 'dark' });
    await page
      .getByRole('button', { name: 'Add group' })
      .or(page.getByRole('button', { name: 'Add condition' }))
      .first()
      .click();
    t.same(await axeFindings(page), []);
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    t.equal(wide, false);
  });
});
