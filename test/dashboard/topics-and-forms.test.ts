// Topics and sign-up forms in the browser.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first();

function topicsOf(place: Workplace, rest = ''): string {
  return `/v1/apps/${place.appId}/topics${rest}`;
}

t.test('a topic is made, edited and deleted', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('topics', { expects: /400/ });
  await page.getByText('No topics yet').waitFor();
  await page.getByText('A topic is what people may want messages about').waitFor();
  await page.getByRole('link', { name: 'New topic' }).first().click();
  await field(page, 'Name').fill('Produkt-Neuigkeiten für alle');
  t.equal(await field(page, 'Key').inputValue(), 'produkt-neuigkeiten-fur-alle');
  await field(page, 'Key').fill('my news');
  await save(page);
  await page.getByText(/letters, digits, _ or -/).waitFor();
  await field(page, 'Key').fill('news');
  await field(page, 'Name').fill('News');
  t.equal(await field(page, 'Key').inputValue(), 'news', 'a key that was typed stays');
  await page.getByRole('switch', { name: 'Double opt-in' }).check();
  t.strictSame(await axeFindings(page), []);
  await save(page);
  await page.waitForURL(/topics\/news$/);
  const made = { key: 'news', name: 'News', default: 'out', doubleOptIn: true };
  t.match(await place.call('GET', topicsOf(place, '/news')), made);

  await page.getByRole('radio', { name: /^In/ }).check();
  await page.getByText('everyone who has made no choice gets messages').waitFor();
  t.notOk(await page.getByRole('switch', { name: 'Double opt-in' }).isChecked());
  await save(page);
  await page.getByText('Saved.').waitFor();
  t.match(await place.call('GET', topicsOf(place, '/news')), { default: 'in', doubleOptIn: false });

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByLabel('Type “news” to confirm').fill('news');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No topics yet').waitFor();
});

t.test('a key that is taken is said at the key, and nothing is lost', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', topicsOf(place), { key: 'news', name: 'News' });
  const page = await place.open('topics/new', { expects: /409/ });
  await field(page, 'Name').fill('News');
  await save(page);
  await page.locator('.field-error', { hasText: 'already has a topic "news"' }).waitFor();
  t.equal(await field(page, 'Name').inputValue(), 'News');
});

t.test('two people who edit one topic lose nothing', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', topicsOf(place), { key: 'news', name: 'News' });
  const page = await place.open('topics/news', { expects: /412/ });
  await field(page, 'Description (optional)').fill('Once a month.');
  await place.call('PATCH', topicsOf(place, '/news'), { name: 'Product news' });
  await save(page);
  await page.getByText('Saved.').first().waitFor();
  const both = { name: 'Product news', description: 'Once a month.' };
  t.match(await place.call('GET', topicsOf(place, '/news')), both);
  await field(page, 'Name').fill('Mine');
  await place.call('PATCH', topicsOf(place, '/news'), { name: 'Theirs' });
  await save(page);
  await page.getByRole('dialog').getByText('This changed while you were editing').waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Saved.').first().waitFor();
  t.match(await place.call('GET', topicsOf(place, '/news')), { name: 'Mine' });
});

t.test('a topic says how many people it reaches, and leads to them', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', topicsOf(place), { key: 'offers', name: 'Offers', default: 'in' });
  for (const who of ['ada', 'eve', 'tom'])
    await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: who });
  await place.call('PUT', `/v1/apps/${place.appId}/subscribers/external:eve/preferences`, {
    topics: { offers: 'out' },
  });
  const page = await place.open('topics/offers', { size: phone });
  await page.getByText('reaches 2 people at most').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('row', { name: /eve/ }).waitFor();
  t.equal(await page.getByRole('row', { name: /ada/ }).count(), 0);
});

t.test('a topic whose key is "new" can be opened', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', topicsOf(place), { key: 'new', name: 'Novelties' });
  const page = await place.open('topics');
  await page.getByRole('link', { name: 'Novelties' }).click();
  await page.getByRole('heading', { name: 'Novelties', level: 1 }).waitFor();
  t.equal(await field(page, 'Name').inputValue(), 'Novelties');
});

t.test('a form shows its page while it is written, and works', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', topicsOf(place), { key: 'news', name: 'Product news' });
  const page = await place.open('forms/new', { expects: /400/ });
  const look = page.locator('.page-look');
  await field(page, 'Name').fill('Our newsletter');
  await look.getByText('Our newsletter').waitFor();
  await page.getByRole('checkbox', { name: 'Product news' }).check();
  await look.getByText('Product news').waitFor();
  await page.getByRole('button', { name: 'Add field' }).click();
  await field(page, 'Label').fill('First name');
  await look.getByText('First name').waitFor();
  await field(page, 'Tag').fill('topic.news');
  await save(page);
  await page.locator('.field-error', { hasText: 'ask for topics in' }).waitFor();
  await field(page, 'Tag').fill('first_name');
  t.strictSame(await axeFindings(page), []);
  await save(page);
  await page.waitForURL(/forms\/our-newsletter$/);
  const form = (await place.call('GET', `/v1/apps/${place.appId}/forms/our-newsletter`)) as {
    readonly path: string;
  };
  t.match(form, { topics: ['news'], fields: [{ tag: 'first_name', label: 'First name' }] });
  const address = place.url + form.path;
  await page.getByText(address, { exact: true }).waitFor();
  const snippet = await page.locator('pre', { hasText: '<form' }).innerText();
  t.match(snippet, `action="${address}"`);
  t.match(snippet, 'name="first_name"');

  await page.getByRole('switch', { name: 'Takes sign-ups' }).uncheck();
  await save(page);
  await page.getByText('The form is archived').waitFor();
  t.equal((await fetch(address)).status, 404);
});

t.test('a form is archived and opened again in the list', needsBrowser, async (t) => {
  const place = await workplace(t);
  const body = { key: 'new', name: 'Letter', consent: 'I agree.' };
  await place.call('POST', `/v1/apps/${place.appId}/forms`, body);
  const page = await place.open('forms');
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions of Letter' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Archive');
  await page.getByText('Archived', { exact: true }).waitFor();
  await choose('Open again');
  await page.getByText('Open', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Letter' }).click();
  t.equal(await field(page, 'Name').inputValue(), 'Letter');
  t.equal(await field(page, 'Consent').inputValue(), 'I agree.');
});

t.test('App settings say whether sign-ups are confirmed', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('settings');
  await page.getByLabel('Ask for a confirmation of sign-ups').uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('saved', { exact: false }).first().waitFor();
  t.match(await place.call('GET', `/v1/apps/${place.appId}/settings`), { doubleOptIn: false });
});
