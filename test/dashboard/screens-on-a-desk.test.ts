// Every screen of an app that is in use, on a desk, in three schemes and zoomed to 400 %: axe finds
// nothing, and nothing stands beyond the page.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { fits, opened, screens, show, staysPut, whenSettled } from './support/screen-list.ts';

/** A desk at 400 %: so many pixels of CSS are left. */
const zoomed = { width: 320, height: 256 };
/** What a smaller page can break; the rest is as on the desk. */
const zoomRules = ['scrollable-region-focusable', 'target-size', 'bypass', 'page-has-heading-one'];

/** What another scheme can break. */
const colorRules = ['color-contrast'];
t.setTimeout(600_000);

t.test('each screen of an app that is in use, on a desk', needsBrowser, async (t) => {
  const place = await workplace(t, 'On a desk');
  const shown = opened(await fillApp(place));
  t.ok(screens.length > 20 && shown.length > screens.length);
  const page = await place.open('home');
  for (const screen of shown) {
    await show(page, place, screen);
    await staysPut(t, page, `${screen.name}, on a desk`);
    t.strictSame(await axeFindings(page), [], `${screen.name}, light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    t.strictSame(await axeFindings(page, colorRules), [], `${screen.name}, dark`);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    t.strictSame(await axeFindings(page, colorRules), [], `${screen.name}, forced colors`);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize(zoomed);
    await whenSettled(page);
    t.strictSame(await axeFindings(page, zoomRules), [], `${screen.name}, zoomed`);
    await fits(t, page, `${screen.name}, zoomed`);
    await page.setViewportSize(desk);
  }
});
