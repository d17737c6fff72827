// Every screen of the list, drawn with an empty app: on a desk and a phone, light and dark. Axe
// finds nothing, no script throws, nothing is wider than the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

/** From the source: the list itself imports components, which Node cannot load. */
const list = readFileSync(join(root, 'dashboard/screens/index.ts'), 'utf8');
const screens = [...list.matchAll(/id: '([^']+)',[\s\S]*?group: '([^']+)'/g)].map(
  ([, id, group]) => ({ id: id as string, isOrg: group === 'org' }),
);

const settled = `document.querySelector('[aria-busy="true"], .late') === null`;

t.test('each screen of an empty app is drawn without a fault', needsBrowser, async (t) => {
  const place = await workplace(t);
  t.ok(screens.length > 1);
  for (const { id, isOrg } of screens)
    for (const [size, scheme] of [
      [desk, 'light'],
      [phone, 'dark'],
    ] as const) {
      const page = await place.open(isOrg ? `/org/${id}` : id, { size, scheme });
      // Not by `waitForFunction`, which evaluates text in the page: the policy forbids it.
      while (!(await page.evaluate(settled))) await page.waitForTimeout(50);
      const name = `${id}, ${size.width}, ${scheme}`;
      t.strictSame(await axeFindings(page), [], name);
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      t.ok(Number(wide) <= 0, `${name}: nothing beyond the page's width`);
      await page.context().close();
    }
});
