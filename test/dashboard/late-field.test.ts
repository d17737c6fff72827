// The code of a field arrives between the task in which a dialog chooses the field and the frame in
// which it gives the field the focus: the focus is in the dialog nevertheless.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';

const late = /\/dashboard\/a\/suggestions.*\.js$/;

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
