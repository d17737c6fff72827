// Every screen of an app that is in use, when its calls are told to wait: it waits, and then shows
// its data.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { plantBusy } from './support/planted.ts';
import { onPages } from './support/screen-failures.ts';
import { whenSettled } from './support/screen-list.ts';

t.test('each screen waits and then shows its data', needsBrowser, async (t) => {
  const place = await workplace(t, 'Waiting');
  await fillApp(place);
  await onPages(t, place, async (page, screen) => {
    await plantBusy(page);
    await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
    await whenSettled(page);
    t.equal(await page.locator('.note.bad').count(), 0, screen.name);
  });
});
