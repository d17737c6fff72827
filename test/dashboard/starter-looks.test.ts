// Each starter as every channel shows it, in light or in dark, by turns: everybody can read it, and
// its buttons have names. Copies of the looks of a starter stand on its page below one another, so
// that axe, which reads the whole page, reads it once.

import type { Page } from 'playwright-core';
import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { starters } from '../../dashboard/screens/messages/starters.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';

const stage = '.preview-stage';

t.test('no look of a starter has a fault that axe finds', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('messages');
  const seen = new Set<string>();
  for (const [at, start] of ['blocks', ...starters.map(({ id }) => id)].entries()) {
    await page.goto(`${place.url}/dashboard/${place.appId}/messages/new/${start}`);
    await page.locator('.look').first().waitFor();
    const channels = page.getByRole('toolbar', { name: 'Channels' }).getByRole('button');
    t.equal(await channels.count(), channelIds.length, start);
    for (const [turn, scheme] of ['Light', 'Dark'].entries()) {
      await page.locator('.preview-bar label', { hasText: scheme }).click();
      for (const [nth, id] of channelIds.entries()) {
        if ((at + nth + turn) % 2 !== 0) continue;
        await channels.nth(nth).click();
        await whenSettled(page);
        // A channel that the message has no words for has no look.
        if ((await page.locator(stage).count()) === 0) continue;
        t.equal(await page.locator(`${stage}.dark`).count(), turn, `${start}, ${id}, ${scheme}`);
        await keepCopy(page, `${id}, ${scheme}`);
        for (const one of [`${start}, ${scheme}`, `${id}, ${scheme}`]) seen.add(one);
      }
    }
    const count = await showCopies(page);
    t.strictSame(await axeFindings(page, lookRules, '.kept-looks'), [], `${start}, ${count} looks`);
  }
  // No starter has words for Kakao, which takes texts that it has approved.
  for (const one of [...starters.map(({ id }) => id), ...channelIds])
    for (const scheme of ['Light', 'Dark'])
      t.equal(seen.has(`${one}, ${scheme}`), one !== 'kakao', `${one} was seen, ${scheme}`);
});

/** The frame around the look is the same each time, and tested with the screens. */
const lookRules = ['color-contrast', 'button-name', 'link-name', 'image-alt', 'target-size'];

async function keepCopy(page: Page, name: string): Promise<void> {
  await page.evaluate(`{
    const shown = document.querySelector('${stage}');
    const copy = shown.cloneNode(true);
    copy.dataset.look = ${JSON.stringify(name)};
    (window.keptLooks ??= []).push(copy);
    window.placeOfLooks = shown.parentElement;
  }`);
}

/** They stand where the look stands, and take its colors and widths from the same places. */
async function showCopies(page: Page): Promise<number> {
  const count = await page.evaluate(`{
    const place = document.createElement('div');
    place.className = 'kept-looks';
    place.append(...window.keptLooks);
    window.placeOfLooks.append(place);
    place.childElementCount;
  }`);
  return Number(count);
}
