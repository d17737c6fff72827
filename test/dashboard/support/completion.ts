// A suggestion in a text editor, as somebody takes it who waits until it is there.

import type { Page } from 'playwright-core';
import { until } from '../../support/server.ts';

const list = '.cm-tooltip-autocomplete li';

/** Types the beginning of a name where names are suggested, and takes the one that is chosen. */
export async function complete(page: Page, begin: string, name: string): Promise<void> {
  const named = { hasText: new RegExp(`^${name}`) };
  await page.locator(list, named).waitFor();
  await page.keyboard.type(begin);
  await page.locator(`${list}[aria-selected=true]`, named).waitFor();
  // The list takes no Enter within 75 ms of its opening: nobody can have read it by then.
  const shownMs = performance.now();
  await until(() => performance.now() - shownMs > 75, 'time stands still');
  await page.keyboard.press('Enter');
}
