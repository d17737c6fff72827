// What the dashboard does while the server refuses, is busy, fails or does not answer, and with
// more people than fit a page.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

/** Answers every call of a path with one planted answer. */
async function plant(page: Page, path: string, status: number, body: object, headers = {}) {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(body) }),
  );
}

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
  await page.getByText(/The rate limit was reached/).waitFor();
  await page.getByText('No segments yet').waitFor();
  await page.getByText(/The rate limit was reached/).waitFor({ state: 'detached' });
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
    await page.getByText('The server does not respond.').waitFor();
    await page.getByRole('alert').getByText('Offline.').waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.unroute('**/v1/**');
    await page.getByText('No segments yet').waitFor();
    await page.getByText('The server does not respond.').waitFor({ state: 'detached' });
  },
);

t.test('what a role may not do stays in sight and says why', needsBrowser, async (t) => {
  const place = await workplace(t, 'Refused');
  const made = (await place.call('POST', '/v1/keys', { name: 'Reader', scopes: ['read'] })) as {
    readonly key: string;
  };
  const page = await place.open('home', { key: made.key });
  const create = page.getByRole('button', { name: 'New campaign' });
  await create.focus();
  await page.getByText(/does not allow making changes/).waitFor();
  t.equal(await create.getAttribute('aria-disabled'), 'true');
  t.equal(await page.getByText('Your first campaign in three minutes').count(), 0);
  t.strictSame(await axeFindings(page), []);
});

for (const screen of ['people', 'segments', 'suppressions', 'home'])
  t.test(`${screen}: a failure of the server and a refusal are told`, needsBrowser, async (t) => {
    const place = await workplace(t, `States ${screen}`);
    for (const [status, error] of [
      [500, 'Server error.'],
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
    expects: /ERR_FAILED/,
    before: async (page) => {
      // A row that has the focus is fetched ahead.
      await page.route('**/subscribers/sub_*', (route) => route.abort());
      await page.route('**/subscribers/search', async (route) => {
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
      });
    },
  });
  await page.getByText('row-0', { exact: true }).waitFor();
  t.equal(await page.locator('.table-foot').innerText(), '1,000,000 people');
  await page.keyboard.press('j');
  await page.locator('[data-key=sub_0]:focus').waitFor();
  await page.keyboard.press('End');
  await page.getByText('row-999999', { exact: true }).waitFor();
  await page.locator('[data-key=sub_999999]:focus').waitFor();
  t.ok((await page.locator('.table-row').count()) < 100, 'only rows in sight are in the page');
  await page.keyboard.press('Home');
  await page.locator('[data-key=sub_0]:focus').waitFor();
});
