// Work that would be lost is not left without a question: by the rail, the palette, the browser's
// back button.

import type { Page } from 'playwright-core';
import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';

const question = (page: Page) => page.getByRole('dialog').getByText('Leave without saving?');
const events = (page: Page) => page.getByRole('link', { name: 'Events', exact: true });

async function fromPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
}

t.test('a secret that is shown once stays until it is kept', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('events');
  await page.evaluate(`history.pushState(null, '', '/dashboard/${place.appId}/integrations/new')`);
  await page.getByRole('textbox', { name: 'URL' }).fill(`${place.sandboxUrl}/hook`);
  await page.getByRole('checkbox', { name: /^message\.bounced/ }).check();
  await page.getByRole('button', { name: 'Connect webhook' }).click();
  const once = page.getByRole('dialog', { name: 'Signing secret for the webhook' });
  const secret = (await once.locator('pre').first().innerText()).trim();
  for (const leave of [() => page.goBack(), () => fromPalette(page, 'Segments')]) {
    await leave();
    await once.getByRole('alert').waitFor();
    t.equal((await once.locator('pre').first().innerText()).trim(), secret);
    t.match(page.url(), /integrations\/new$/);
  }
  await once.getByRole('checkbox').check();
  await once.getByRole('button', { name: 'Done' }).click();
  await once.waitFor({ state: 'detached' });
  await events(page).click();
  await page.waitForURL(/events$/);
});

t.test('a running import asks before it is left, and stops then', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('import');
  let calls = 0;
  await page.route(/v1\/import\/subscribers/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 400));
    return route.continue().catch(() => undefined);
  });
  const rows = Array.from({ length: 9_000 }, (_, at) =>
    JSON.stringify({ externalUserId: `j-${at}`, tags: { nth: at } }),
  );
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.jsonl',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(rows.join('\n')),
  });
  await page.getByRole('button', { name: 'Import without checking' }).click();
  await page.getByRole('heading', { name: 'Importing', exact: true }).waitFor();
  await events(page).click();
  const asked = page.getByRole('dialog', { name: 'Stop the import?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await asked.waitFor({ state: 'detached' });
  t.match(page.url(), /import$/, 'it runs on');
  await events(page).click();
  await asked.getByRole('button', { name: 'Stop and leave' }).click();
  await page.waitForURL(/events$/);
  await page.waitForTimeout(1_000);
  const before = calls;
  await page.waitForTimeout(1_500);
  t.equal(calls, before, 'nothing more is sent');
});

t.test("the browser's back button asks in an editor with changes", needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('events');
  await page.getByRole('link', { name: 'Segments', exact: true }).click();
  await page.waitForURL(/segments$/);
  await page
    .getByRole('link', { name: /^(New|Create) segment$/ })
    .first()
    .click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Payers');
  await page.goBack();
  await question(page).waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  t.equal(await name.inputValue(), 'Payers');
  t.match(page.url(), /segments\/new$/);
  await page.goBack();
  await question(page).waitFor();
  await page.getByRole('button', { name: 'Leave and keep the draft' }).click();
  await page.waitForURL(/segments$/);
  await page.goBack();
  await page.waitForURL(/events$/);
});

t.test('a save that failed asks before its editor is left', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const message = (await place.call('POST', `${app}/messages`, {
    ...{ name: 'Sale', title: 'Sale', body: 'Now' },
  })) as { readonly id: string };
  const campaign = (await place.call('POST', `${app}/campaigns`, {
    ...{ name: 'First', messageId: message.id, audience: { type: 'all' } },
  })) as { readonly id: string };
  const journey = (await place.call('POST', `${app}/journeys`, {
    name: 'First',
    triggerEvent: 'signup',
    steps: [{ id: 'a', type: 'wait', days: 1 }],
  })) as { readonly id: string };
  for (const screen of [`campaigns/${campaign.id}`, `journeys/${journey.id}`]) {
    const page = await place.open(screen, { expects: /422|500|Failed/ });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.route(/v1\/apps\/.*\/(campaigns|journeys)\//, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, body: '{}' })
        : route.continue(),
    );
    const name = page.getByLabel('Name', { exact: true }).first();
    await name.fill('Second');
    await page
      .getByText(/Not saved; kept|Kept in this browser|kept in this browser/i)
      .first()
      .waitFor();
    await events(page).click();
    await question(page).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    t.equal(await name.inputValue(), 'Second', screen);
    await events(page).click();
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.waitForURL(/events$/);
    await page.unroute(/v1\/apps\/.*\/(campaigns|journeys)\//);
    await page.goto(`${place.url}/dashboard/${place.appId}/${screen}`);
    t.equal(await name.inputValue(), 'First', `${screen}: it was discarded`);
  }
});
