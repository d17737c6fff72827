// Pictures of every screen of a lived-in app and of an empty one, to be looked at by a person:
//   npm run build && node --import tsx test/dashboard/support/pictures.ts [folder] [screens,…]

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { desk, phone, workplace } from './browser.ts';
import { fillApp } from './lived-in-app.ts';
import { opened, screens, whenSettled } from './screen-list.ts';

const [folder = 'dist/pictures', only] = process.argv.slice(2);
const chosen = only?.split(',');

t.setTimeout(0);
t.test('pictures', async (t) => {
  mkdirSync(folder, { recursive: true });
  const full = await workplace(t, 'Acme');
  const made = await fillApp(full);
  const empty = await workplace(t, 'Newcomer');
  const places = [
    ...opened(made).map((screen) => ({ ...screen, place: full, name: screen.name })),
    ...screens.map((screen) => ({ ...screen, place: empty, name: `empty-${screen.name}` })),
  ].filter(({ name }) => chosen === undefined || chosen.some((one) => name.startsWith(one)));
  for (const place of [full, empty])
    for (const [size, scheme] of looks) {
      const page = await place.open('home', { size, scheme });
      for (const { name, path, place: own } of places) {
        if (own !== place) continue;
        await page.goto(`${place.url}/dashboard${path(place.appId)}`);
        await whenSettled(page);
        const file = `${name}-${size.width}-${scheme}.png`;
        await page.screenshot({ path: join(folder, file) });
        t.pass(file);
      }
      await page.context().close();
    }
});

const looks = [
  [desk, 'light'],
  [desk, 'dark'],
  [phone, 'light'],
  [phone, 'dark'],
] as const;
