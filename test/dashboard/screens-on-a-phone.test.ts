// Every screen of an app that is in use, on a phone in the dark scheme: axe finds nothing, and
// nothing stands beyond the page.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { fits, opened, show, staysPut } from './support/screen-list.ts';

t.test('each screen of an app that is in use, on a phone', needsBrowser, async (t) => {
  const place = await workplace(t, 'On a phone');
  const shown = opened(await fillApp(place));
  const page = await place.open('home', { size: phone, scheme: 'dark' });
  for (const screen of shown) {
    await show(page, place, screen);
    await staysPut(t, page, screen.name);
    t.strictSame(await axeFindings(page), [], screen.name);
    await fits(t, page, screen.name);
  }
});
