// The focus in a browser that draws late: what gets it in a later frame takes it from nobody, and
// does not lose it to a field whose code arrives in between.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';

const late = /\/dashboard\/a\/suggestions.*\.js$/;

const untilTwoFrames = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))`;

/** Frames of a browser that is busy: what is asked for one is done half a second later. */
const slowFrames = `
  globalThis.requestAnimationFrame = (act) => setTimeout(() => act(performance.now()), 500);
  globalThis.cancelAnimationFrame = clearTimeout;
`;

t.test('a dialog has the focus when its field loads late', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: 'sofia' });
  let letThrough = () => {};
  const isOpen = new Promise<void>((done) => {
    letThrough = done;
  });
  const page = await place.open('people', {
    before: async (page) => {
      await page.addInitScript({ content: slowFrames });
      await page.route(late, async (route) => {
        await isOpen;
        await route.continue();
      });
    },
  });
  await whenSettled(page);
  await page.getByRole('row').nth(1).focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Set a tag', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  letThrough();
  await dialog.getByRole('combobox').first().waitFor();
  await dialog.locator(':scope:focus, :focus').first().waitFor();
  await page.keyboard.type('plan');
  t.equal(await dialog.getByRole('combobox').first().inputValue(), 'plan');
});

t.test('a step that opens takes the focus from no field', needsBrowser, async (t) => {
  const place = await workplace(t);
  const { id } = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [{ id: 'A day', type: 'wait', days: 1 }],
  })) as { readonly id: string };
  const page = await place.open(`journeys/${id}`, {
    before: async (page) => void (await page.addInitScript({ content: slowFrames })),
  });
  await whenSettled(page);
  await page.getByRole('treeitem', { name: /^A day/ }).click();
  await page.getByLabel('Note').focus();
  await page.evaluate(untilTwoFrames);
  await page.keyboard.type('Too soon?');
  t.equal(await page.getByLabel('Note').inputValue(), 'Too soon?');
  t.equal(await page.getByLabel('Name').inputValue(), 'A day');
  await page.getByRole('treeitem', { name: /^A day/ }).click();
  await page.evaluate(untilTwoFrames);
  await page.locator('input:focus').waitFor();
  t.equal(await page.locator(':focus').inputValue(), 'A day', 'its name, if nobody went on');
});
