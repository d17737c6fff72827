// Every screen of an empty app: axe finds nothing, and nothing stands beyond the page.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';
import { fits, screens, show } from './support/screen-list.ts';

for (const [where, size, scheme] of [
  ['on a desk', desk, 'light'],
  ['on a phone', phone, 'dark'],
] as const)
  t.test(`each screen of an empty app, ${where}`, needsBrowser, async (t) => {
    const place = await workplace(t, 'Empty');
    const page = await place.open('home', { size, scheme });
    for (const screen of screens) {
      await show(page, place, screen);
      const name = `${screen.name}, ${scheme}`;
      t.strictSame(await axeFindings(page), [], name);
      await fits(t, page, name);
    }
  });
