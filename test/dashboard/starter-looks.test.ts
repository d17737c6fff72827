// Each starter as every channel shows it, in light and in dark: everybody can read it, and its
// buttons have names.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { starters } from '../../dashboard/screens/messages/starters.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';

t.test('no look of a starter has a fault that axe finds', needsBrowser, async (t) => {
  const place = await workplace(t);
  let seen = 0;
  for (const start of ['blocks', ...starters.map(({ id }) => id)]) {
    const page = await place.open(`messages/new/${start}`);
    await page.locator('.look').first().waitFor();
    const channels = page.getByRole('toolbar', { name: 'Channels' }).getByRole('button');
    t.equal(await channels.count(), channelIds.length, start);
    for (const scheme of ['Light', 'Dark'])
      for (let i = 0; i < channelIds.length; i++) {
        const channel = channels.nth(i);
        await channel.click();
        await page.locator('.preview-bar label', { hasText: scheme }).click();
        await whenSettled(page);
        // A channel that the message has no words for has no look.
        if ((await page.locator('.preview-stage').count()) === 0) continue;
        seen++;
        const named = `${start}, ${await channel.innerText()}, ${scheme}`;
        t.strictSame(await axeFindings(page, lookRules, '.preview-stage'), [], named);
      }
    await page.close();
  }
  t.ok(seen > 250, `${seen} looks`);
});

/** The frame around the look is the same each time, and tested with the screens. */
const lookRules = ['color-contrast', 'button-name', 'link-name', 'image-alt', 'target-size'];
