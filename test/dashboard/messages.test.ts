// Writing a message in the browser: typing with completion, the preview beside it, saving, and what
// becomes of words that are not saved.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';
import { complete } from './support/completion.ts';

const saved = { name: 'Spring', title: 'Hello {{ first_name }}', body: 'The garden opens.' };

t.test('a message is written, shown and saved', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: 'ada',
    tags: { first_name: 'Ada' },
  });
  const page = await place.open('messages/new/blank');
  await page.getByLabel('Name').first().fill('Summer');
  await page.locator('[data-editor] .cm-content').first().click();
  await page.keyboard.type('Hello {{ ');
  await complete(page, 'fir', 'first_name');
  await page.locator('[data-editor] .cm-content').nth(1).click();
  await page.keyboard.type('The garden opens.');
  await page.getByText('Hello Ada').first().waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.waitForURL(/messages\/msg_/);
  const { items } = (await place.call('GET', `/v1/apps/${place.appId}/messages`)) as {
    readonly items: readonly { readonly name: string; readonly title: string }[];
  };
  t.match(items, [{ name: 'Summer', title: 'Hello {{ first_name }}' }]);
});

t.test(
  'what the server refuses is told at its field, and nothing is lost',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('messages/new/blank', { expects: /400/ });
    await page.locator('[data-editor] .cm-content').first().click();
    await page.keyboard.type('Hi {% if %}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.code-box.invalid').first().waitFor();
    t.match(await page.locator('.field-error').first().textContent(), /./);
    t.match(await page.locator('[data-editor] .cm-content').first().textContent(), /Hi/);
  },
);

t.test(
  'a text with an error leaves the last good preview, dimmed, beside the error',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('messages/new/blank');
    const body = page.locator('[data-editor] .cm-content').nth(1);
    const previews = page.getByRole('region', { name: 'Preview' });
    await previews.getByText('Write some text to see the preview.').waitFor();
    await page.locator('[data-editor] .cm-content').first().click();
    await page.keyboard.type('Hello');
    await body.click();
    await page.keyboard.type('The garden opens.');
    await previews.getByText('The garden opens.').first().waitFor();
    t.equal(await previews.locator('.stale').count(), 0);
    await page.keyboard.type(' {{ name | no_such }}');
    await previews.getByText(/body: .*no_such/).waitFor();
    for (const channel of ['Telegram', 'SMS']) {
      await previews.getByRole('button', { name: channel }).click();
      await previews.locator('.stale').getByText('The garden opens.').first().waitFor();
      t.match(await previews.textContent(), /body: .*no_such/, `${channel}: the error is named`);
      t.notMatch(await previews.textContent(), /Write some text/, channel);
    }
    await previews.getByRole('button', { name: 'Email' }).click();
    await previews.locator('.stale .look-email').waitFor();
    t.strictSame(await axeFindings(page), []);
    for (let at = 0; at < ' | no_such }}'.length; at++) await page.keyboard.press('Backspace');
    await body.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('It has opened.');
    await previews.getByText('It has opened.').first().waitFor();
    t.equal(await previews.locator('.stale').count(), 0);
  },
);

t.test(
  'a message that is opened with an error says so, not that a text is missing',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('messages/new/blank');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.locator('[data-editor] .cm-content').nth(1).click();
    await page.keyboard.type('Hi {{ name | no_such }}');
    await page.getByText('Unsaved changes').waitFor();
    await page.reload();
    const previews = page.getByRole('region', { name: 'Preview' });
    await previews.getByText(/body: .*no_such/).waitFor();
    t.notMatch(await previews.textContent(), /Write some text/);
  },
);

t.test('words that are not saved outlive a reload and are asked about', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/messages`, saved)) as {
    readonly id: string;
  };
  const page = await place.open(`messages/${made.id}`);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByLabel('Name').first().fill('Spring again');
  await page.getByText('Unsaved changes').waitFor();
  await page.reload();
  await page.getByText('your earlier changes, which were not saved').waitFor();
  t.equal(await page.getByLabel('Name').first().inputValue(), 'Spring again');
  await page.getByRole('link', { name: 'In-app' }).click();
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Discard and leave' }).click();
  await page.waitForURL(/inapp/);
});

t.test('the menu of the editor copies, sends and deletes', needsBrowser, async (t) => {
  const place = await workplace(t);
  const path = `/v1/apps/${place.appId}`;
  const { id } = (await place.call('POST', `${path}/messages`, saved)) as { readonly id: string };
  const page = await place.open(`messages/${id}`);
  const item = async (name: string) => {
    await page.locator('.screen-head').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const name = page.getByLabel('Name').first();
  await item('Duplicate');
  await page.waitForURL((url) => /messages\/msg_/.test(url.href) && !url.href.endsWith(id));
  await name.fill('A copy that is not saved');
  await item('Send as a campaign');
  await page.getByRole('button', { name: 'Leave and keep the draft' }).click();
  await page.waitForURL(/campaigns\/new\?message=msg_/);
  await page.goto(`${place.url}/dashboard/${place.appId}/messages/${id}`);
  await name.fill('What is typed is not asked about');
  await item('Delete');
  await page.getByRole('dialog').getByText('Not used now.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/messages$/);
  const { items } = (await place.call('GET', `${path}/messages`)) as {
    readonly items: readonly { readonly id: string }[];
  };
  t.strictSame([items.length, items.some((one) => one.id === id)], [1, false]);

  const { id: template } = (await place.call('POST', `${path}/message-templates`, {
    name: 'code',
    body: '{{ code }}',
  })) as { readonly id: string };
  const other = await place.open(`messages/templates/${template}`);
  await other.locator('.screen-head').getByRole('button', { name: 'More' }).click();
  const menu = other.getByRole('menuitem');
  await menu.first().waitFor();
  t.strictSame(await menu.allTextContents(), ['Delete']);
  await menu.click();
  await other.getByRole('dialog').getByRole('textbox').fill('code');
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await other.waitForURL(/messages$/);
});

t.test('the editor has no fault on a phone', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/messages`, saved)) as {
    readonly id: string;
  };
  for (const scheme of ['light', 'dark'] as const) {
    const page = await place.open(`messages/${made.id}`, { size: phone, scheme });
    await page.locator('.cm-content').first().waitFor();
    t.strictSame(await axeFindings(page), [], `write, ${scheme}`);
    await page.locator('label', { hasText: /^Preview$/ }).click();
    await page.locator('.look').waitFor();
    t.strictSame(await axeFindings(page), [], `preview, ${scheme}`);
  }
});
