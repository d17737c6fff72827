// The font is the server's own: one subset for a page in English, and a page that is drawn before
// it comes does not move when it does.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { whenSettled } from './support/screen-list.ts';

const fontFiles = /\/dashboard\/a\/inter-.*\.woff2$/;

t.test('a page in English loads one subset, once', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('home');
  await whenSettled(page);
  const loaded = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name)",
  );
  const fonts = (loaded as readonly string[]).filter((name) => fontFiles.test(name));
  t.equal(fonts.length, 1);
  t.match(fonts[0], /inter-latin-wght-normal/);
  t.equal(await page.evaluate(`document.fonts.check('600 14px "Inter Variable"')`), true);
});

t.test('a font that comes late moves nothing', needsBrowser, async (t) => {
  const place = await workplace(t);
  await fillApp(place);
  for (const screen of ['home', 'people', 'campaigns', 'settings']) {
    const page = await place.open('home');
    let deliver = () => {};
    const held = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    await page.route(fontFiles, async (route) => {
      await held;
      await route.continue();
    });
    // The font belongs to the load of a page.
    const waitUntil = 'domcontentloaded';
    await page.goto(`${place.url}/dashboard/${place.appId}/${screen}`, { waitUntil });
    await page.locator('h1').first().waitFor();
    await whenSettled(page);
    await page.evaluate(`globalThis.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.moved += value;
      }).observe({ type: 'layout-shift' })`);
    deliver();
    await page.evaluate(`document.fonts.load('14px "Inter Variable"')`);
    const moved = await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(globalThis.moved), 50)))',
    );
    // The list of the settings' parts has seventeen labels, whose widths change a little.
    const most = screen === 'settings' ? 0.04 : 0.02;
    t.ok(Number(moved) < most, `${screen}: moved by ${Number(moved).toFixed(3)}`);
    await page.close();
  }
});
