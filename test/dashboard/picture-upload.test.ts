// A picture that is uploaded within the editor: what cannot be stored is told before it is sent.

import t from 'tap';
import { blockKinds, newBlock, starterDesign } from '../../dashboard/editor/blocks/kinds.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
const mebibyte = 1_048_576;

t.test('a picture beyond the limit or the room of the app is not sent', needsBrowser, async (t) => {
  const place = await workplace(t);
  const { id } = (await place.call('POST', `/v1/apps/${place.appId}/messages`, {
    name: 'Blocks',
    title: 'Hi',
    body: '<p>Hi</p>',
    design: { ...starterDesign(), blocks: blockKinds.map((kind) => newBlock(kind, kind.id)) },
  })) as { readonly id: string };
  const page = await place.open(`messages/${id}`);
  let used = 0;
  let sent = 0;
  let answer = () => {};
  await page.route(/\/assets\?/, async (route) => {
    if (route.request().method() === 'GET')
      return route.fulfill({ json: { items: [], nextCursor: null, total: 0, bytes: used } });
    sent++;
    await new Promise<void>((resolve) => (answer = resolve));
    return route.continue();
  });
  const choose = async (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'image/png', buffer });
  const open = async () => {
    await page
      .getByRole('button', { name: /^Picture/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Choose picture' }).first().click();
    await page.getByText('No pictures yet').waitFor();
  };
  used = 200 * mebibyte - 50;
  await open();
  await choose('large.png', Buffer.alloc(mebibyte + 200_000));
  await page.getByText('large.png has 1.2 MiB. Pictures can be up to 1 MiB').waitFor();
  await choose('full.png', png);
  await page.getByText('and the app has room for 50 B more').waitFor();
  t.equal(sent, 0);
  t.strictSame(await axeFindings(page), []);
  await page.keyboard.press('Escape');
  used = 200 * mebibyte - png.length;
  await page.reload();
  await open();
  await choose('fits.png', png);
  await page.getByText(/^Uploading fits\.png, \d+ B/).waitFor();
  t.equal(sent, 1);
  answer();
  await page.getByText('No pictures yet').waitFor({ state: 'detached' });
});
