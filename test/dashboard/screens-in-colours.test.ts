// The contrast of every screen of an app that is in use, in the dark scheme and in forced colours.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { opened, show } from './support/screen-list.ts';

const contrast = ['color-contrast'];

t.test(
  'each screen of an app that is in use, dark and in forced colours',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'In colours');
    const page = await place.open('home');
    for (const screen of opened(await fillApp(place))) {
      await show(page, place, screen);
      await page.emulateMedia({ colorScheme: 'dark' });
      t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, dark`);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, forced colours`);
      await page.emulateMedia({ forcedColors: 'none' });
    }
  },
);
