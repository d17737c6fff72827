// A person's topics and language on their page.

import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

async function adas(t: Parameters<typeof workplace>[0]) {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/topics`, { key: 'news', name: 'Product news' });
  await place.call('POST', `${app}/topics`, { key: 'offers', name: 'Offers', default: 'in' });
  const digest = { key: 'digest', name: 'Digest', doubleOptIn: true };
  await place.call('POST', `${app}/topics`, digest);
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const preferences = `${app}/subscribers/external:ada/preferences`;
  const holds = (isSo: (now: { topics: Record<string, string>; language: string }) => boolean) =>
    eventually(
      async () => isSo((await place.call('GET', preferences)) as never) || undefined,
      'the preferences do not hold',
    );
  return { place, app, preferences, holds };
}

const choice = (page: Page, topic: string) => page.getByLabel(`Choice of ${topic}`);

async function chosen(page: Page, topic: string): Promise<string | null> {
  return choice(page, topic).locator('option:checked').textContent();
}

t.test('topics are chosen for a person, and the story says so', needsBrowser, async (t) => {
  const { place, holds } = await adas(t);
  const page = await place.open('people/external:ada');
  t.equal(await chosen(page, 'Product news'), 'No choice: out by default');
  t.equal(await chosen(page, 'Offers'), 'No choice: in by default');
  t.strictSame(await axeFindings(page), []);
  await choice(page, 'Product news').selectOption({ label: 'In' });
  await holds(({ topics }) => topics['news'] === 'in');
  await page.getByText('They are now in "news".').waitFor();
  t.equal(await page.getByText('topic.news').count(), 0, 'it is no tag like others');
  await choice(page, 'Offers').selectOption({ label: 'Out' });
  await holds(({ topics }) => topics['offers'] === 'out');
  await choice(page, 'Offers').selectOption({ label: 'No choice: in by default' });
  await holds(({ topics }) => topics['offers'] === 'in');

  // A save that is answered late does not close a question that was asked meanwhile.
  let answerLate = () => {};
  const late = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  await page.route('**/preferences', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const answer = await route.fetch();
    await late;
    await route.fulfill({ response: answer });
  });
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences'),
  );
  await choice(page, 'Offers').selectOption({ label: 'Out' });
  await choice(page, 'Digest').selectOption({ label: 'In' });
  await page.getByText('counts as confirmed, without an email').waitFor();
  answerLate();
  await saved;
  await page.unroute('**/preferences');
  await holds(({ topics }) => topics['offers'] === 'out');
  await page.getByText('They are now out of "offers".').first().waitFor();
  t.equal(await page.getByText('counts as confirmed, without an email').count(), 1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  t.equal(await chosen(page, 'Digest'), 'No choice: out by default');
  await choice(page, 'Digest').selectOption({ label: 'In' });
  await page.getByRole('button', { name: 'They agreed' }).click();
  await holds(({ topics }) => topics['digest'] === 'in');
});

t.test('what waits for a confirmation is pending, and can be ended', needsBrowser, async (t) => {
  const { place, app } = await adas(t);
  const login = { appId: place.appId, externalUserId: 'eve' };
  const { clientToken } = (await place.call('POST', '/v1/sdk/subscriber', login)) as {
    readonly clientToken: string;
  };
  const wish = { appId: place.appId, clientToken, topics: { digest: 'in' } };
  await place.call('PUT', '/v1/sdk/preferences', wish);
  const page = await place.open('people/external:eve?tab=facts', { size: phone });
  t.equal(await chosen(page, 'Digest'), 'Pending: not confirmed yet');
  t.strictSame(await axeFindings(page), []);
  await choice(page, 'Digest').selectOption({ label: 'Out' });
  await page.locator('option', { hasText: 'Pending' }).waitFor({ state: 'detached' });
  const now = await place.call('GET', `${app}/subscribers/external:eve/preferences`);
  t.match(now, { topics: { digest: 'out' } });
});

t.test('a language is set, and a typo is said at it', needsBrowser, async (t) => {
  const { place, holds } = await adas(t);
  const page = await place.open('people/external:ada', { expects: /400/ });
  await page.getByRole('button', { name: 'Change the language' }).click();
  const field = page.getByLabel('Language, for example');
  await field.fill('not a language');
  await field.press('Tab');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.field-error', { hasText: 'expected a language' }).waitFor();
  await field.fill('pt-BR');
  await field.press('Tab');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('pt-BR', { exact: true }).first().waitFor();
  await holds(({ language }) => language === 'pt-BR');
});

t.test('who may only read sees the choices', needsBrowser, async (t) => {
  const { place } = await adas(t);
  const { key } = (await place.call('POST', '/v1/keys', { name: 'Reader', scopes: ['read'] })) as {
    readonly key: string;
  };
  const page = await place.open('people/external:ada', { key });
  await page.getByText('No choice: in by default').waitFor();
  t.equal(await choice(page, 'Offers').count(), 0);
});
