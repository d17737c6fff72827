// Pictures of every screen of a lived-in app and of an empty one, to be looked at by a person:
//   npm run build && node --import tsx test/dashboard/support/pictures.ts [folder] [screens,…]
// ENGAGE_PICTURES=1440-light,2560-dark makes those looks alone.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { desk, phone, workplace } from './browser.ts';
import { fillApp } from './lived-in-app.ts';
import { fillMonths, type PictureState, pictureStates } from './picture-states.ts';
import { opened, screens, whenSettled } from './screen-list.ts';

const [folder = 'dist/pictures', only] = process.argv.slice(2);
const chosen = only?.split(',');

t.setTimeout(0);
t.test('pictures', async (t) => {
  mkdirSync(folder, { recursive: true });
  const full = await workplace(t, 'Acme');
  const made = await fillApp(full);
  const empty = await workplace(t, 'Newcomer');
  const months = await fillMonths(full, made);
  const everything: readonly PictureState[] = [...opened(made), ...pictureStates(made, months)];
  const places = [
    ...everything.map((screen) => ({ screen, place: full, name: screen.name })),
    ...screens.map((screen: PictureState) => ({
      screen,
      place: empty,
      name: `empty-${screen.name}`,
    })),
  ].filter(({ name }) => chosen === undefined || chosen.some((one) => name.startsWith(one)));
  for (const place of [full, empty])
    for (const [size, scheme] of looks) {
      if (!isWanted(`${size.width}-${scheme}`)) continue;
      const page = await place.open('home', { size, scheme });
      for (const { name, screen, place: own } of places) {
        if (own !== place) continue;
        await page.setViewportSize(size);
        await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
        await whenSettled(page);
        if (screen.act !== undefined) await screen.act(page);
        await grow(page, size);
        const file = `${name}-${size.width}-${scheme}.png`;
        await page.screenshot({ path: join(folder, file) });
        await page.unrouteAll();
        t.pass(file);
      }
      await page.context().close();
    }
});

/** What a look up and down would show: no picture is higher. */
const highest = 2_700;
const beyond = `Math.max(0, ...[...document.querySelectorAll('.screen-body')]
  .map((body) => body.scrollHeight - body.clientHeight))`;

/** Makes the window as high as the screen that is in it. */
async function grow(page: Page, size: { readonly width: number; readonly height: number }) {
  await whenSettled(page);
  const more = Number(await page.evaluate(beyond));
  if (more === 0) return;
  await page.setViewportSize({ ...size, height: Math.min(highest, size.height + more) });
  await whenSettled(page);
}

const wide = { width: 2_560, height: 1_440 };
const looks = [
  [desk, 'light'],
  [desk, 'dark'],
  [phone, 'light'],
  [phone, 'dark'],
  [wide, 'light'],
  [wide, 'dark'],
] as const;

function isWanted(look: string): boolean {
  const wanted = process.env['ENGAGE_PICTURES']?.split(',');
  return wanted === undefined ? !look.startsWith('2560') : wanted.includes(look);
}
