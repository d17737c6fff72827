// Every screen when its lists have a million rows: it draws only what is in sight.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { plantHuge } from './support/planted.ts';
import { fits, screens, show } from './support/screen-list.ts';

const huge = 1_000_000;

t.test('each screen with a million rows draws only those in sight', needsBrowser, async (t) => {
  const place = await workplace(t, 'Huge');
  await fillApp(place);
  // The server knows none of the planted rows.
  const page = await place.open('home', { expects: /status of 40[04]/ });
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
