// Every screen when its calls must wait, or find a million rows: it shows its data in the end, and
// draws only what is in sight.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { plantBusy, plantHuge } from './support/planted.ts';
import { onPages } from './support/screen-failures.ts';
import { fits, screens, show, whenSettled } from './support/screen-list.ts';

const huge = 1_000_000;

t.test('each screen of an app that is in use', needsBrowser, async (t) => {
  const place = await workplace(t, 'Waiting');
  await fillApp(place);

  await t.test('that is told to wait: it waits and then shows its data', async (t) => {
    await onPages(t, place, async (page, screen) => {
      await plantBusy(page);
      await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
      await whenSettled(page);
      t.equal(await page.locator('.note.bad').count(), 0, screen.name);
    });
  });

  await t.test('with a million rows: only those in sight are drawn', async (t) => {
    const page = await place.open('home');
    const lists = await plantHuge(page, huge);
    for (const screen of screens) {
      await show(page, place, screen);
      const elements = Number(await page.evaluate('document.querySelectorAll("*").length'));
      t.ok(elements < 6_000, `${screen.name}: ${elements} elements`);
      await fits(t, page, screen.name);
    }
    t.ok(lists.size > 10, `${lists.size} lists were long`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
