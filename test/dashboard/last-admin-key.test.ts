// The last admin key of an org without an owner: the screen says why it stays, and what to do.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

t.test('a key that is the last way in stays, and the dialog says why', needsBrowser, async (t) => {
  const place = await workplace(t);
  const { items } = (await place.call('GET', '/v1/keys')) as {
    readonly items: readonly { readonly name: string }[];
  };
  const name = items[0]?.name ?? '';
  const page = await place.open('/org/team?tab=keys', { expects: /status of 409/ });
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('create another admin key first').waitFor();
  t.strictSame(await axeFindings(page), []);
  t.equal(await dialog.getByRole('textbox').inputValue(), name, 'it keeps what was typed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
});
