// Every screen of the list in every state: with data, empty, failing in four ways, and with a
// million rows. Axe finds nothing, no script throws, nothing is wider than the page. The screens
// come from the list itself, so a new one is looked at without being named here.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { type Failure, plantBusy, plantFailure, plantHuge } from './support/planted.ts';
import { opened, type ShownScreen, screens, whenSettled } from './support/screen-list.ts';

/** A desk at 400 %: so many pixels of CSS are left. */
const zoomed = { width: 320, height: 256 };
const pagesAtOnce = 4;
/** Milliseconds; on two quiet cores it needs a quarter. */
const timeout = 400_000;
const huge = 1_000_000;
const contrast = ['color-contrast'];
/** What a smaller page can break; the rest is as on the desk. */
const zoomRules = ['scrollable-region-focusable', 'target-size', 'bypass', 'page-has-heading-one'];

type Place = Awaited<ReturnType<typeof workplace>>;

t.test('each screen of an app that is in use', { ...needsBrowser, timeout }, async (t) => {
  const place = await workplace(t, 'In use');
  const shown = opened(await fillApp(place));
  t.ok(screens.length > 20 && shown.length > screens.length);

  await t.test(
    'on a desk: light, dark, forced colours, zoomed to 400 %',
    { timeout },
    async (t) => {
      const page = await place.open('home');
      for (const screen of shown) {
        await show(page, place, screen);
        t.strictSame(await axeFindings(page), [], `${screen.name}, light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, dark`);
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
        t.strictSame(await axeFindings(page, contrast), [], `${screen.name}, forced colours`);
        await page.emulateMedia({ forcedColors: 'none' });
        await page.setViewportSize(zoomed);
        await whenSettled(page);
        t.strictSame(await axeFindings(page, zoomRules), [], `${screen.name}, zoomed`);
        await fits(t, page, `${screen.name}, zoomed`);
        await page.setViewportSize(desk);
      }
    },
  );

  await t.test('on a phone, dark', { timeout }, async (t) => {
    const page = await place.open('home', { size: phone, scheme: 'dark' });
    for (const screen of shown) {
      await show(page, place, screen);
      t.strictSame(await axeFindings(page), [], screen.name);
      await fits(t, page, screen.name);
    }
  });

  for (const [name, failure] of failures)
    await t.test(`that meets ${name}: it says so`, { timeout }, async (t) => {
      const first = await place.open('home', { expects: failing });
      await inParallel(screens, async (screen) => {
        const page = await another(t, first);
        const calls = await plantFailure(page, failure);
        await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
        await whenSettled(page);
        if (calls() > 0) {
          const words = failure?.error ?? 'No answer from the server.';
          await page.getByText(words).first().waitFor();
        }
        await fits(t, page, screen.name);
        await page.close();
      });
    });

  await t.test('that is told to wait: it waits and then shows its data', { timeout }, async (t) => {
    const first = await place.open('home', { expects: failing });
    await inParallel(screens, async (screen) => {
      const page = await another(t, first);
      await plantBusy(page);
      await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
      await whenSettled(page);
      t.equal(await page.locator('.note.bad').count(), 0, screen.name);
      await page.close();
    });
  });

  await t.test('with a million rows: only those in sight are drawn', { timeout }, async (t) => {
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

t.test('each screen of an empty app', { ...needsBrowser, timeout }, async (t) => {
  const place = await workplace(t, 'Empty');
  for (const [size, scheme] of [
    [desk, 'light'],
    [phone, 'dark'],
  ] as const) {
    const page = await place.open('home', { size, scheme });
    for (const screen of screens) {
      await show(page, place, screen);
      const name = `${screen.name}, ${size.width}, ${scheme}`;
      t.strictSame(await axeFindings(page), [], name);
      await fits(t, page, name);
    }
  }
});

const failures: readonly (readonly [string, Failure | undefined])[] = [
  ['500', { status: 500, code: 'internal', error: 'Something broke on our side.' }],
  ['403', { status: 403, code: 'forbidden', error: 'This key lacks the scope read.' }],
  [
    '429 for long',
    { status: 429, code: 'rate', error: 'Come back in an hour.', retryAfter: '3600' },
  ],
  ['no connection', undefined],
];

/** What the console says of planted failures. */
const failing = /status of (403|429|500)|ERR_INTERNET/;

/** One more page of the same person. */
async function another(t: Test, page: Page): Promise<Page> {
  const next = await page.context().newPage();
  next.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
  return next;
}

async function show(page: Page, place: Place, screen: ShownScreen): Promise<void> {
  await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
  await whenSettled(page);
}

async function fits(t: Test, page: Page, name: string): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.ok(Number(beyond) <= 0, `${name}: nothing beyond the page's width`);
}

/** A few pages side by side, since most of the time a page waits. */
async function inParallel(
  all: readonly ShownScreen[],
  each: (screen: ShownScreen) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await each(next);
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, lane));
}
