// Two people on one thing in the browser: nobody's save is lost in silence.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, type PageOptions, phone, workplace } from './support/browser.ts';

/** The browser says so of each answer above 399. */
const expects = /412/;

async function place(t: Test) {
  const { call, open, appId, url } = await workplace(t);
  const base = `/v1/apps/${appId}`;
  const scopes = ['read', 'write'];
  const ada = (await call('POST', '/v1/keys', { name: 'Ada', scopes })) as { readonly key: string };
  const headers = { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' };
  return {
    appId,
    read: async (path: string) => (await call('GET', `${base}${path}`)) as Record<string, never>,
    remove: (path: string) => call('DELETE', `${base}${path}`),
    make: async (path: string, body: object) =>
      ((await call('POST', `${base}${path}`, body)) as { readonly id: string }).id,
    /** By a colleague. */
    change: async (path: string, body: object) => {
      const asked = { method: 'PATCH', headers, body: JSON.stringify(body) };
      const { status } = await fetch(`${url}${base}${path}`, asked);
      t.equal(status, 200, `Ada changes ${path}`);
    },
    open: (screen: string, more: PageOptions = {}) => open(screen, { expects, ...more }),
  };
}

const planted = (key: string, value: unknown) =>
  `localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(JSON.stringify(value))})`;

const question = (page: Page) =>
  page.getByRole('dialog', { name: 'This changed while you were editing' });

const text = { title: 'Hello', body: 'As it was' };

t.test(
  'two tabs with one message: theirs is kept, or mine, or both are seen',
  needsBrowser,
  async (t) => {
    const { make, read, open } = await place(t);
    const id = await make('/messages', { name: 'Twice', ...text });
    const [first, second] = await Promise.all([open(`messages/${id}`), open(`messages/${id}`)]);
    const box = (page: Page) => page.getByLabel('Title', { exact: true }).first();
    for (const page of [first, second]) await box(page).waitFor();
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
    const shown = (page: Page) =>
      box(page).evaluate(
        (one: { readonly value?: string; readonly textContent: string | null }) =>
          one.value ?? one.textContent,
      );
    await box(first).fill('By the first');
    await save(first);
    await first.getByText('Saved.', { exact: true }).first().waitFor();

    await box(second).fill('By the second');
    await save(second);
    const dialog = question(second);
    await dialog.getByText('changed this').waitFor();
    t.strictSame(await axeFindings(second), []);
    await dialog.getByRole('button', { name: 'Compare versions' }).click();
    for (const words of ['By the first', 'By the second']) await dialog.getByText(words).waitFor();
    t.strictSame(await axeFindings(second), []);
    t.match(await read(`/messages/${id}`), { title: 'By the first' }, 'nothing is overwritten yet');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    await second.getByText('Saved.', { exact: true }).first().waitFor();
    t.match(await read(`/messages/${id}`), { title: 'By the second', body: text.body });

    await box(first).fill('Once more');
    await save(first);
    await question(first).getByRole('button', { name: 'Keep theirs' }).click();
    await question(first).waitFor({ state: 'detached' });
    t.equal(await shown(first), 'By the second', 'the editor shows what was kept');
    t.match(await read(`/messages/${id}`), { title: 'By the second' });
  },
);

t.test('people who change different settings do not meet', needsBrowser, async (t) => {
  const { read, change, open } = await place(t);
  const page = await open('settings');
  const name = page.locator('#sender').getByLabel('Name');
  await name.waitFor();
  await change('/settings', { emailTracking: false, email: { replyTo: 'a@acme.example' } });
  await name.fill('Acme');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page
    .getByText('Ada changed other fields in the meantime. Both changes are saved.')
    .waitFor();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  t.match(await read('/settings'), {
    emailTracking: false,
    email: { fromName: 'Acme', replyTo: 'a@acme.example' },
  });
  t.equal(await question(page).count(), 0);
  await name.fill('Acme Ltd');
  await change('/settings', { email: { fromName: 'Acme Inc' } });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await question(page).getByRole('button', { name: 'Keep theirs' }).click();
  await question(page).waitFor({ state: 'detached' });
  t.match(await read('/settings'), { email: { fromName: 'Acme Inc' } });
  t.equal(await name.inputValue(), 'Acme Inc', 'the form shows what was kept');
});

t.test(
  'a kept draft of a journey does not overwrite steps that were saved since',
  needsBrowser,
  async (t) => {
    const { appId, make, read, change, open } = await place(t);
    const wait = (hours: number) => ({ id: 'A wait', type: 'wait', hours });
    const first = { name: 'Kept', triggerEvent: 'x', steps: [wait(1)] };
    const id = await make('/journeys', first);
    const keptAt = `engage.journey.${appId}.${id}`;
    const asksForBoth = async (page: Page) => {
      const dialog = question(page);
      await dialog.getByText('changed this').waitFor();
      t.match(await read(`/journeys/${id}`), { steps: [wait(5)] }, 'nothing is saved yet');
      await dialog.getByRole('button', { name: 'Compare versions' }).click();
      await dialog.getByText('Steps › “A wait” › Hours').waitFor();
      await dialog.getByRole('button', { name: 'Keep theirs' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Saved', { exact: true }).waitFor();
      t.match(await read(`/journeys/${id}`), { steps: [wait(5)] });
    };

    const page = await open(`journeys/${id}`, { expects: /412|ERR_FAILED/ });
    await page.getByRole('treeitem', { name: /^A wait/ }).click();
    await page.route(`**/journeys/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Note').fill('Mine');
    await page.waitForFunction(`localStorage.getItem('${keptAt}')?.includes('Mine')`);
    await change(`/journeys/${id}`, { steps: [wait(5)] });
    await page.goto('about:blank');
    await page.unroute(`**/journeys/${id}`);
    await page.goBack();
    await asksForBoth(page);

    const kept = { ...first, triggerSegmentId: null, reentry: 'once', steps: [wait(3)] };
    const older = await open(`journeys/${id}`, {
      before: async (one) =>
        void (await one.addInitScript(planted(keptAt, { draft: kept, atMs: Date.now() }))),
    });
    await asksForBoth(older);
  },
);

t.test(
  'a kept draft of a message asks before it replaces what was saved since',
  needsBrowser,
  async (t) => {
    const { make, read, change, open } = await place(t);
    const id = await make('/messages', { name: 'Kept', ...text });
    const page = await open(`messages/${id}`);
    await page.getByLabel('Name').first().fill('My name');
    await page.getByText('Unsaved changes').waitFor();
    await change(`/messages/${id}`, { name: 'Her name', title: 'Her title' });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Someone has saved a change since then.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = question(page);
    await dialog.getByRole('button', { name: 'Compare versions' }).click();
    for (const words of ['Her name', 'My name', 'Her title'])
      await dialog.getByText(words).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Nothing was saved: Ada changed this in the meantime.').waitFor();
    t.match(await read(`/messages/${id}`), { name: 'Her name', title: 'Her title' });
    t.equal(await page.getByLabel('Name').first().inputValue(), 'My name');
  },
);

t.test(
  'a kept draft of a campaign asks, and keeps what it does not know',
  needsBrowser,
  async (t) => {
    const { make, read, change, open } = await place(t);
    const messageId = await make('/messages', text);
    const id = await make('/campaigns', { name: 'Kept', messageId, guard: null });
    const page = await open(`campaigns/${id}`, { expects: /412|ERR_FAILED/ });
    await page.route(`**/campaigns/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const name = page.getByLabel('Name').first();
    await name.fill('By me');
    await page.getByText('Not saved; kept in this browser').waitFor();
    // As a page kept it that knew no guard.
    await page.evaluate(`for (const [key, kept] of Object.entries(localStorage)) {
    if (!key.startsWith('engage.campaign.')) continue;
    const { draft: { guard, guardOwn, ...draft }, ...rest } = JSON.parse(kept);
    localStorage.setItem(key, JSON.stringify({ ...rest, draft }));
  }`);
    await change(`/campaigns/${id}`, { name: 'By Ada' });
    await page.goto('about:blank');
    await page.unroute(`**/campaigns/${id}`);
    await page.goBack();
    const dialog = question(page);
    await dialog.getByRole('button', { name: 'Compare versions' }).click();
    for (const words of ['By Ada', 'By me']) await dialog.getByText(words).waitFor();
    t.match(await read(`/campaigns/${id}`), { name: 'By Ada', guard: null });
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();
    t.match(await read(`/campaigns/${id}`), { name: 'By me', guard: null });
  },
);

t.test('what is typed while a save runs is not lost', needsBrowser, async (t) => {
  const { make, read, open } = await place(t);
  const messageId = await make('/messages', text);
  const id = await make('/in-app-messages', { messageId, show: 'popup', priority: 1 });
  const page = await open(`inapp/${id}`);
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/in-app-messages/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await mayAnswer;
    await route.continue();
  });
  const [priority, start] = [page.getByLabel('Priority'), page.getByLabel('From', { exact: true })];
  await priority.fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await start.fill('2027-01-01T10:00');
  answer();
  await page.getByText('Saved. People see the new version').waitFor();
  t.equal(await start.inputValue(), '2027-01-01T10:00');
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  const { startAt, priority: saved } = await read(`/in-app-messages/${id}`);
  t.strictSame([saved, String(startAt).slice(0, 10)], [2, '2027-01-01']);
});

t.test('who saves what was deleted meanwhile is told so', needsBrowser, async (t) => {
  const { make, remove, open } = await place(t);
  const id = await make('/segments', { name: 'Pros', filter: { tag: 'plan', eq: 'pro' } });
  const page = await open(`segments/${id}`, { expects: /404|412/ });
  await page.getByLabel('Name').first().fill('All pros');
  await remove(`/segments/${id}`);
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page
    .getByRole('alert')
    .getByText(/no segment|deleted/i)
    .waitFor();
  t.equal(await question(page).count(), 0);
});

t.test('a journey takes over what a colleague changed beside it', needsBrowser, async (t) => {
  const { make, read, change, open } = await place(t);
  const steps = [{ id: 'A wait', type: 'wait', hours: 1 }];
  const id = await make('/journeys', { name: 'Beside', triggerEvent: 'x', steps });
  const page = await open(`journeys/${id}`);
  await page.getByRole('treeitem', { name: /^A wait/ }).click();
  await page.getByLabel('Note').waitFor();
  await change(`/journeys/${id}`, { name: 'By a colleague' });
  await page.getByLabel('Note').fill('Mine');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'By a colleague' }).waitFor();
  await page.getByLabel('Note').fill('Mine again');
  await page.getByText('Saved', { exact: true }).waitFor();
  t.match(await read(`/journeys/${id}`), { name: 'By a colleague', steps: [{ hours: 1 }] });
});

t.test(
  'a deletion asks if what it deletes was changed, on a desk and a phone',
  needsBrowser,
  async (t) => {
    for (const [size, scheme] of [
      [desk, 'light'],
      [phone, 'dark'],
    ] as const) {
      const { make, read, change, open } = await place(t);
      const id = await make('/segments', { name: 'Pros', filter: { tag: 'plan', eq: 'pro' } });
      const page = await open(`segments/${id}`, { size, scheme });
      await page.locator('.screen-head').getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await change(`/segments/${id}`, { name: 'All pros' });
      const asked = page.getByRole('dialog');
      await asked.getByRole('button', { name: /^Delete/ }).click();
      await question(page).getByRole('button', { name: 'Compare versions' }).click();
      await question(page).getByText('All pros').waitFor();
      t.strictSame(await axeFindings(page), []);
      await question(page).getByRole('button', { name: 'Keep it' }).click();
      t.match(await read(`/segments/${id}`), { name: 'All pros' });
    }
  },
);
