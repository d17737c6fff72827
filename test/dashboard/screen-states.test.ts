// Every screen of the list when calls fail, must wait, or find a million rows: it says so, shows
// its data in the end, and draws only what is in sight.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { type Failure, plantBusy, plantFailure, plantHuge } from './support/planted.ts';
import { fits, type ShownScreen, screens, show, whenSettled } from './support/screen-list.ts';

const pagesAtOnce = 4;
/** Milliseconds. */
const timeout = 400_000;
const huge = 1_000_000;

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

t.test('each screen of an app that is in use', { ...needsBrowser, timeout }, async (t) => {
  const place = await workplace(t, 'States');
  await fillApp(place);

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
