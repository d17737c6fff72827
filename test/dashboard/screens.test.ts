// Every screen of the list, with data and empty. Axe finds nothing, no script throws, nothing is
// wider than the page. The screens come from the list itself, so a new one is looked at without
// being named here.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { fits, opened, screens, show, whenSettled } from './support/screen-list.ts';

/** A desk at 400 %: so many pixels of CSS are left. */
const zoomed = { width: 320, height: 256 };
/** Milliseconds. */
const timeout = 400_000;
const contrast = ['color-contrast'];
/** What a smaller page can break; the rest is as on the desk. */
const zoomRules = ['scrollable-region-focusable', 'target-size', 'bypass', 'page-has-heading-one'];

t.test('each screen of an app that is in use', { ...needsBrowser, timeout }, async (t) => {
  const place = await workplace(t, 'In use');
  const shown = opened(await fillApp(place));
  t.ok(screens.length > 20 && shown.length > screens.length);

  await t.test(
    'on a desk: light, dark, forced colours, zoomed to 400 %',
    { timeout },
    async (t) => {
      const page = await place.open('home');
      for (const screen of shown) {
        await show(page, place, screen);
        t.strictSame(await axeFindings(page), [], `${screen.name}, light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, dark`);
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
        t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, forced colours`);
        await page.emulateMedia({ forcedColors: 'none' });
        await page.setViewportSize(zoomed);
        await whenSettled(page);
        t.strictSame(await axeFindings(page, zoomRules), [], `${screen.name}, zoomed`);
        await fits(t, page, `${screen.name}, zoomed`);
        await page.setViewportSize(desk);
      }
    },
  );

  await t.test('on a phone, dark', { timeout }, async (t) => {
    const page = await place.open('home', { size: phone, scheme: 'dark' });
    for (const screen of shown) {
      await show(page, place, screen);
      t.strictSame(await axeFindings(page), [], screen.name);
      await fits(t, page, screen.name);
    }
  });
});

t.test('each screen of an empty app', { ...needsBrowser, timeout }, async (t) => {
  const place = await workplace(t, 'Empty');
  for (const [size, scheme] of [
    [desk, 'light'],
    [phone, 'dark'],
  ] as const) {
    const page = await place.open('home', { size, scheme });
    for (const screen of screens) {
      await show(page, place, screen);
      const name = `${screen.name}, ${size.width}, ${scheme}`;
      t.strictSame(await axeFindings(page), [], name);
      await fits(t, page, name);
    }
  }
});
