// Every screen of the list while all its calls fail in one way: it says so, and fits its page.

import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Workplace } from './browser.ts';
import { type Failure, plantFailure } from './planted.ts';
import { fits, type ShownScreen, screens, whenSettled } from './screen-list.ts';

const pagesAtOnce = 4;

/** What the console says of planted failures. */
const failing = /status of (403|429|500)|ERR_INTERNET/;

/** Without a failure, no connection. */
export async function everyScreenTells(
  t: Test,
  place: Workplace,
  failure?: Failure,
): Promise<void> {
  await onPages(t, place, async (page, screen) => {
    const calls = await plantFailure(page, failure);
    await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
    await whenSettled(page);
    if (calls() > 0) {
      const words = failure?.error ?? 'The server did not respond.';
      await page.getByText(words).first().waitFor();
    }
    await fits(t, page, screen.name);
  });
}

/** Each screen on a page of its own, a few side by side, since most of the time a page waits. */
export async function onPages(
  t: Test,
  place: Workplace,
  each: (page: Page, screen: ShownScreen) => Promise<void>,
): Promise<void> {
  const first = await place.open('home', { expects: failing });
  const left = [...screens];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const page = await first.context().newPage();
      page.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
      await each(page, next);
      await page.close();
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, lane));
  await first.context().close();
}
