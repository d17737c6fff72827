// A list of a million people: few rows are drawn anywhere, and a jump far away stays there.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';

const total = 1_000_000;
/** A screen has about 25 of them, and some more beyond its edges. */
const rowsMax = 80;

t.test('a list of a million people is scrolled end to end', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('people', {
    before: async (page) => {
      await page.route('**/subscribers/search', (route) => {
        const { offset = 0, limit = 100 } = route.request().postDataJSON() as Asked;
        const items = Array.from({ length: Math.min(limit, total - offset) }, (_, nth) =>
          person(offset + nth),
        );
        return route.fulfill({ json: { items, total, tookMs: 1 } });
      });
    },
  });
  await page.getByText('row-0', { exact: true }).waitFor();
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await page.evaluate(`{
      const box = document.querySelector('.table-scroll');
      box.scrollTop = (box.scrollHeight - box.clientHeight) * ${share};
    }`);
    const row = page.getByText(`row-${Math.floor((total - 1) * share)}`, { exact: true });
    if (share === 1) await row.waitFor();
    else
      await page
        .locator('.table-row')
        .getByText(/^row-\d{6}$/)
        .first()
        .waitFor();
    const drawn = await page.locator('.table-row').count();
    t.ok(drawn > 0 && drawn <= rowsMax, `${drawn} rows at ${share}`);
    const place = Number(
      await page.evaluate(`(() => {
        const box = document.querySelector('.table-scroll');
        return box.scrollTop / (box.scrollHeight - box.clientHeight);
      })()`),
    );
    t.ok(Math.abs(place - share) < 0.01, `it stays at ${share}: ${place.toFixed(2)}`);
  }
});

interface Asked {
  readonly offset?: number;
  readonly limit?: number;
}

function person(nth: number): object {
  const at = '2026-11-01T00:00:00.000Z';
  return {
    id: `sub_${nth}`,
    externalUserId: `row-${nth}`,
    devices: [],
    tags: {},
    preferredChannels: null,
    timezone: null,
    createdAt: at,
    updatedAt: at,
    lastActiveAt: at,
  };
}
