// What is typed and ticked while the style sheet of the previews is on its way is shown at once.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';

/** Holds back the news that the style sheet has come, until the test lets it through. */
const holdStyles = `
  document.addEventListener('load', (event) => {
    const link = event.target;
    const isHeld = link instanceof HTMLLinkElement && link.rel === 'stylesheet'
      && /\\/looks[^/]*$/.test(link.href) && globalThis.letThrough === undefined;
    if (!isHeld) return;
    event.stopImmediatePropagation();
    globalThis.letThrough = () => link.dispatchEvent(new Event('load'));
    void globalThis.tellHeld();
  }, true);
`;

t.test('a box is ticked while the previews still load', needsBrowser, async (t) => {
  const place = await workplace(t);
  let tellHeld = () => {};
  const held = new Promise<void>((done) => {
    tellHeld = done;
  });
  const page = await place.open('messages/new/code-sms', {
    before: async (page) => {
      await page.exposeFunction('tellHeld', tellHeld);
      await page.addInitScript({ content: holdStyles });
    },
  });
  await held;
  const fold = page.locator('details', { hasText: 'Written for' });
  await fold.locator('summary').click();
  await fold.getByRole('checkbox', { name: 'WhatsApp' }).check();
  await fold.getByText('SMS, WhatsApp', { exact: true }).waitFor();
  t.equal(await page.locator('.look-place').count(), 0, 'the previews have not come');
  await page.evaluate('letThrough()');
  await page.locator('.look-place > *').first().waitFor();
});
