// What the dashboard says to answers that a server in order does not give, or gives too late for a
// test to wait for.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

t.test(
  'every screen shows that the clock is in doubt, in the words of the server',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const message = 'The clock of this server was 40 minutes ahead of the last write.';
    const page = await place.open('home', {
      before: async (page) =>
        void (await page.route('**/readyz', (route) =>
          route.fulfill({
            json: { status: 'ready', warnings: [{ code: 'clock_ahead', message }] },
          }),
        )),
    });
    const band = page.getByRole('status').filter({ hasText: 'clock is not confirmed' });
    await band.waitFor();
    t.match(await band.innerText(), message);
    t.strictSame(await axeFindings(page), []);
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    t.ok(await band.isVisible(), 'it stays when the screen changes');
    await band.getByRole('button', { name: 'Hide this notice' }).click();
    t.equal(await band.count(), 0, 'it can be put away');
  },
);

t.test('what is said late moves nothing on the screen', needsBrowser, async (t) => {
  const place = await workplace(t);
  let answer: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const message = 'The clock of this server was 40 minutes ahead of the last write.';
  const page = await place.open('people', {
    before: async (page) =>
      void (await page.route('**/readyz', async (route) => {
        await asked;
        await route.fulfill({
          json: { status: 'ready', warnings: [{ code: 'clock_behind', message }] },
        });
      })),
  });
  const title = page.getByRole('heading', { level: 1, name: 'People' });
  await title.waitFor();
  const before = await title.boundingBox();
  answer?.();
  await page.getByRole('status').filter({ hasText: message }).waitFor();
  t.strictSame(await title.boundingBox(), before, 'the clock in doubt');
  await page.context().setOffline(true);
  await page
    .getByRole('status')
    .filter({ hasText: /You are offline/ })
    .waitFor();
  t.strictSame(await title.boundingBox(), before, 'no connection');
});

t.test(
  'a server without payments says so once, where one would connect them',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('/org/billing', {
      expects: /status of 503/,
      before: async (page) =>
        void (await page.route('**/v1/org/billing/checkout', (route) =>
          route.fulfill({
            status: 503,
            json: { error: 'payments are not configured on this server', code: 'unavailable' },
          }),
        )),
    });
    const connect = page.getByRole('button', { name: 'Connect payment method' });
    await connect.click();
    await page
      .getByText(/Billing is not configured on this server/)
      .first()
      .waitFor();
    t.equal(await connect.getAttribute('aria-disabled'), 'true', 'it is not offered again');
    t.equal(await page.getByText('Server error.').count(), 0);
    t.strictSame(await axeFindings(page), []);
  },
);

t.test('a payment provider that does not answer can be asked again', needsBrowser, async (t) => {
  const place = await workplace(t);
  let asked = 0;
  const page = await place.open('/org/billing', {
    expects: /status of 503/,
    before: async (page) =>
      void (await page.route('**/v1/org/billing/checkout', (route) => {
        asked++;
        return route.fulfill({
          status: 503,
          json: { error: 'the payment provider did not answer', code: 'payment_provider' },
        });
      })),
  });
  const connect = page.getByRole('button', { name: 'Connect payment method' });
  await connect.click();
  await page.getByText('the payment provider did not answer').waitFor();
  const again = page.waitForResponse('**/v1/org/billing/checkout');
  await connect.click();
  await again;
  await page.getByText('the payment provider did not answer').waitFor();
  t.equal(asked, 2);
});

t.test('what is next in a story names its time within its sentence', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: 'ada' });
  const page = await place.open('people/external:ada', {
    expects: /ERR_FAILED/,
    before: async (page) => {
      // It would bring the true story.
      await page.route('**/live?*', (route) => route.abort());
      await page.route('**/timeline?*', (route) => {
        const at = new Date(Date.now() + 3_600_000).toISOString();
        const next = { code: 'start', text: 'It is sent as soon as there is capacity.', at };
        const entry = {
          at: new Date().toISOString(),
          kind: 'send',
          code: 'queued',
          text: 'Queued.',
        };
        return route.fulfill({
          json: {
            items: [
              { ...entry, next },
              { ...entry, next: { ...next, at: undefined } },
            ],
            now: [],
            nextCursor: null,
          },
        });
      });
    },
  });
  const lines = page.locator('.story-next');
  await lines.first().waitFor();
  const [timed = '', bare = ''] = (await lines.allInnerTexts()).map((text) => text.trim());
  t.match(timed, /^Next: It is sent as soon as there is capacity \(in \d+ (min|hr)\.\)\.$/);
  t.equal(bare, 'Next: It is sent as soon as there is capacity.');
});

t.test(
  'the session of a key is told that scopes decide, a member that an owner does',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const made = await place.call('POST', '/v1/keys', { name: 'Reader', scopes: ['read'] });
    const { key } = made as { readonly key: string };
    const page = await place.open('/org/audit', { key, expects: /status of 403/ });
    const note = page.getByRole('alert');
    await note.waitFor();
    const text = await note.innerText();
    t.match(text, /lacks the scope admin/);
    t.match(
      text,
      /The scopes of the API key decide what this session may do\. It has these scopes: read\./,
    );
    t.notMatch(text, /owner|role/);
    await page.goto(`${place.url}/dashboard/org/team?tab=keys`);
    const create = page.getByRole('button', { name: 'Create API key' }).first();
    await create.focus();
    await page
      .getByText(/lacks the scope admin/)
      .first()
      .waitFor();
  },
);
