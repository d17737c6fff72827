// People in the browser: the table, its filter, changes of many; one person's page.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test('the table of people, and one of them', needsBrowser, async (t) => {
  const place = await workplace(t, 'People');
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', '/v1/import/subscribers', {
    appId: place.appId,
    rows: Array.from({ length: 300 }, (_, at) => ({
      externalUserId: `p-${String(at).padStart(3, '0')}`,
      tags: { plan: at % 3 === 0 ? 'pro' : 'free', '<b>note</b>': '<img src=x onerror=alert(1)>' },
      devices: [{ channel: 'email', endpoint: `p${at}@example.com` }],
    })),
  });
  await place.call('POST', `${app}/segments`, { name: 'Pro', filter: { tag: 'plan', eq: 'pro' } });

  await t.test('shows the exact total, finds by id and by address', async (t) => {
    const page = await place.open('people');
    await page.getByText('p-299').waitFor();
    t.equal(await page.locator('.table-foot').innerText(), '300 people');
    await page.getByRole('searchbox').fill('p17@example.com');
    await page.getByText('p-017').waitFor();
    t.equal(await page.locator('.table-foot').innerText(), '1 person');
    t.match(page.url(), /q=p17/);
    t.same(await axeFindings(page), []);
  });

  await t.test('a filter narrows the table and stands in the address', async (t) => {
    const page = await place.open('people');
    await page.getByText('p-299').waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.keyboard.type('plan');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'Value' }).fill('pro');
    await page.keyboard.press('Tab');
    await page.locator('.people-filter-count strong', { hasText: '100' }).waitFor();
    await page.locator('.table-foot', { hasText: '100' }).waitFor();
    t.match(decodeURIComponent(page.url()), /filter=.*"tag":"plan","eq":"pro"/);
    t.same(await axeFindings(page), []);
  });

  await t.test('everybody who matches gets a tag', async (t) => {
    const filter = encodeURIComponent(JSON.stringify({ tag: 'plan', eq: 'pro' }));
    const page = await place.open(`people?filter=${filter}`);
    await page.getByText('p-297').waitFor();
    await page.getByRole('checkbox', { name: 'Select' }).first().click();
    await page.getByRole('button', { name: 'Select all 100' }).click();
    await page.getByRole('button', { name: 'Set a tag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('wave');
    await page.keyboard.press('Tab');
    await dialog.getByRole('combobox', { name: 'Value' }).fill('one');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('100 people changed.').waitFor();
    const found = (await place.call('POST', `${app}/subscribers/search`, {
      filter: { tag: 'wave', eq: 'one' },
    })) as { readonly total: number };
    t.equal(found.total, 100);
  });

  await t.test('a person: tags are changed in place, the story comes by itself', async (t) => {
    const page = await place.open('people/external:p-003');
    await page.getByRole('button', { name: 'Change plan: pro' }).click();
    await page.getByRole('textbox', { name: 'Change plan' }).fill('team');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change plan: team' }).waitFor();
    await page.getByText('No activity yet').waitFor();
    await place.call('POST', '/e', {
      appId: place.appId,
      events: [{ name: 'order', externalUserId: 'p-003' }],
    });
    await page.getByText(/The event "order"/).waitFor();
    await page.getByRole('button', { name: 'Explain Pro' }).click();
    await page.getByText('The tag is "team".').waitFor();
    t.same(await axeFindings(page), []);
  });

  await t.test('a wrong address stays typed, with the server’s words at its field', async (t) => {
    const page = await place.open('people/external:p-004', { expects: /400/ });
    await page.getByRole('button', { name: 'Add device' }).click();
    const box = page.getByRole('textbox', { name: 'Address or token' });
    await box.fill('no address');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/email address/)
      .waitFor();
    t.equal(await box.inputValue(), 'no address');
  });

  await t.test('erasing asks for the name', async (t) => {
    // The stream may say that the person is gone before the call is answered.
    const page = await place.open('people/external:p-005', { expects: /status of 404/ });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Erase person' }).click();
    const erase = page.getByRole('button', { name: 'Erase person' });
    t.equal(await erase.getAttribute('aria-disabled'), 'true');
    await page.getByRole('dialog').getByRole('textbox').fill('p-005');
    await erase.click();
    await page.getByText('p-005 was erased.').waitFor();
    t.match(page.url(), /\/people$/);
  });

  await t.test('a phone shows two lines a row, and a person in two tabs', async (t) => {
    const page = await place.open('people', { size: phone, scheme: 'dark' });
    await page.getByText('p-299').waitFor();
    t.same(await axeFindings(page), []);
    const person = await place.open('people/external:p-003', { size: phone, scheme: 'dark' });
    await person.getByRole('tab', { name: 'Details' }).click();
    await person.getByText('p3@example.com').waitFor();
    t.same(await axeFindings(person), []);
  });
});
