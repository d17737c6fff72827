// The frame: keys, the palette, the switches of app and organisation, and what it does while the
// server refuses, is busy, or does not answer.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const focusedRow = `document.activeElement?.getAttribute('data-key') ?? ''`;

/** Answers every call of a path with one planted answer. */
function plant(page: Page, path: string, status: number, body: object, headers = {}) {
  return page.route(`**${path}`, (route) =>
    route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(body) }),
  );
}

t.test('keys', needsBrowser, async (t) => {
  const place = await workplace(t, 'Keys');
  await place.call('POST', '/v1/import/subscribers', {
    appId: place.appId,
    rows: Array.from({ length: 5 }, (_, at) => ({ externalUserId: `k-${at}` })),
  });

  await t.test('walk from screen to screen, and through rows from anywhere', async (t) => {
    const page = await place.open('home');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('j');
    const first = await eventuallyFocused(page);
    await page.keyboard.press('j');
    const second = await eventuallyFocused(page, first);
    await page.keyboard.press('k');
    t.equal(await eventuallyFocused(page, second), first);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'k-4', level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('k-2');
    await page.locator('.table-foot', { hasText: /^1$/ }).waitFor();
  });

  await t.test('rest in a dialog', async (t) => {
    const page = await place.open('people');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Next row').waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('c');
    t.match(page.url(), /\/people$/, 'a letter in a dialog leads nowhere');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('single letters can be switched off, and stay off', async (t) => {
    const page = await place.open('people');
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-letter shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('k-4').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    t.match(page.url(), /\/people$/);
  });
});

t.test('the palette leads to a person, a send and a thing by its name', needsBrowser, async (t) => {
  const place = await workplace(t, 'Palette');
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada-77',
    devices: [{ channel: 'email', endpoint: 'ada77@example.com' }],
  });
  await place.call('POST', `${app}/segments`, {
    name: 'Garden friends',
    filter: { tag: 'plan', eq: 'pro' },
  });
  const sent = (await place.call('POST', `${app}/notifications`, {
    externalUserId: 'ada-77',
    title: 'Hello',
    body: 'World',
  })) as { readonly id: string };
  const search = async (page: Page, typed: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(typed);
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.press('Enter');
  };

  const page = await place.open('home');
  await search(page, 'ada77@', /ada-77/);
  await page.getByRole('heading', { name: 'ada-77', level: 1 }).waitFor();
  await page
    .getByText(/accepted/i)
    .first()
    .waitFor();
  await search(page, sent.id, /Open · Activity/);
  await page.waitForURL(/\/activity\/ntf_/);
  await page.getByRole('link', { name: 'ada-77' }).first().waitFor();
  await search(page, 'garden', /Garden friends.*Segment/);
  await page.waitForURL(/\/segments\/seg_/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('nobody-has-this');
  await page.getByText('Nothing found.').waitFor();
  t.strictSame(await axeFindings(page), []);
  const small = await place.open('home', { size: phone, scheme: 'dark' });
  await small.getByRole('button', { name: 'Search or jump to…' }).click();
  await small.getByRole('option', { name: /New campaign/ }).waitFor();
  t.strictSame(await axeFindings(small), []);
});

t.test('the app switcher leads to another app, and back', needsBrowser, async (t) => {
  const place = await workplace(t, 'Apps');
  const other = (await place.call('POST', '/v1/apps', { name: 'Second', timezone: 'UTC' })) as {
    readonly id: string;
  };
  const page = await place.open('people');
  await page.getByRole('button', { name: /Apps app/ }).press('Enter');
  await page
    .getByRole('menuitemradio', { name: 'Second' })
    .or(page.getByRole('menuitem', { name: 'Second' }))
    .first()
    .click();
  await page.waitForURL(new RegExp(`/${other.id}/home`));
  await page.goto(`${place.url}/dashboard`);
  await page.waitForURL(new RegExp(`/${other.id}/home`));
  t.pass('the last app opens again');
});

t.test('a full rate limit is waited out with a line, and then goes on', needsBrowser, async (t) => {
  const place = await workplace(t, 'Busy');
  let refusals = 0;
  const page = await place.open('segments', {
    expects: /429/,
    before: async (page) => {
      await page.route('**/segments?*', (route) => {
        if (refusals > 0) return route.continue();
        refusals++;
        return route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          contentType: 'application/json',
          body: JSON.stringify({ error: 'Too many calls.', code: 'rate_limited' }),
        });
      });
    },
  });
  await page.getByText(/The API asked to wait/).waitFor();
  await page.getByText('No segments yet').waitFor();
  await page.getByText(/The API asked to wait/).waitFor({ state: 'detached' });
  t.equal(refusals, 1);
});

t.test(
  'a server that is gone is told, and the screen goes on by itself',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'Gone');
    const page = await place.open('home', { expects: /ERR_FAILED|ERR_INTERNET|Failed to load/ });
    await page.route('**/v1/**', (route) => route.abort());
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByText('The server does not answer.').waitFor();
    await page.getByRole('alert').getByText('Offline.').waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.unroute('**/v1/**');
    await page.getByText('No segments yet').waitFor();
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
  },
);

t.test('what a role may not do stays in sight and says why', needsBrowser, async (t) => {
  const place = await workplace(t, 'Refused');
  const page = await place.open('home', {
    before: async (page) => {
      await page.route('**/v1/session', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as object;
        await route.fulfill({ response: answer, json: { ...body, scopes: ['read'] } });
      });
    },
  });
  const create = page.getByRole('button', { name: 'New campaign' });
  await create.focus();
  await page.getByText(/does not allow changing things/).waitFor();
  t.equal(await create.getAttribute('aria-disabled'), 'true');
  t.equal(await page.getByText('First campaign in three minutes').count(), 0);
  t.strictSame(await axeFindings(page), []);
});

for (const screen of ['people', 'segments', 'suppressions', 'home'])
  t.test(`${screen}: a failure of the server and a refusal are told`, needsBrowser, async (t) => {
    const place = await workplace(t, `States ${screen}`);
    for (const [status, error] of [
      [500, 'The server failed.'],
      [403, 'Not allowed.'],
    ] as const) {
      const page = await place.open(screen, {
        expects: /status of/,
        before: (page) =>
          plant(
            page,
            `/v1/${screen === 'home' ? 'insights' : 'apps'}/**`,
            status,
            { error: 'Planted.', code: 'x' },
            { 'x-request-id': 'req_1' },
          ),
      });
      await page.getByRole('alert').first().waitFor();
      t.match(await page.getByRole('alert').first().innerText(), error);
      t.match(await page.getByRole('alert').first().innerText(), /Planted\.[\s\S]*req_1/);
      t.strictSame(await axeFindings(page), []);
      await page.context().close();
    }
  });

t.test('a million people scroll from the first to the last', needsBrowser, async (t) => {
  const place = await workplace(t, 'Huge');
  const total = 1_000_000;
  const page = await place.open('people', {
    before: (page) =>
      page.route('**/subscribers/search', async (route) => {
        const { offset, limit } = route.request().postDataJSON() as {
          readonly offset: number;
          readonly limit: number;
        };
        const items = Array.from({ length: Math.min(limit, total - offset) }, (_, at) => ({
          id: `sub_${offset + at}`,
          externalUserId: `row-${offset + at}`,
          tags: {},
          devices: [],
          lastActiveAt: null,
          createdAt: '2026-01-01T00:00:00.000Z',
        }));
        await route.fulfill({ json: { items, total, tookMs: 1 } });
      }),
  });
  await page.getByText('row-0', { exact: true }).waitFor();
  t.equal(await page.locator('.table-foot').innerText(), '1,000,000');
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await page.getByText('row-999999', { exact: true }).waitFor();
  t.ok((await page.locator('.table-row').count()) < 100, 'only rows in sight are in the page');
});

/** The row that has the focus, once it is another than before. */
async function eventuallyFocused(page: Page, before = ''): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const now = String(await page.evaluate(focusedRow));
    if (now !== '' && now !== before) return now;
  }
  throw new Error('no row took the focus');
}
