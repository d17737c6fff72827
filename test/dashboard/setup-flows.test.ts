// The flows of the set-up screens in a browser: a key that is shown once, a setting with the
// server's error at its field, a webhook, a client.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

t.test('an API key is shown once, and gone once it was copied', needsBrowser, async (t) => {
  const place = await workplace(t, 'Keys');
  const page = await place.open('/org/team?tab=keys');
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop backend');
  await page.locator('button[form="create-key"]').click();
  const dialog = page.getByRole('dialog', { name: 'The key Shop backend is ready' });
  await dialog.waitFor();
  const key = (await dialog.locator('pre').first().innerText()).trim();
  t.match(key, /^ek_/);
  t.strictSame(await axeFindings(page), []);

  await page.keyboard.press('Escape');
  t.ok(await dialog.isVisible(), 'it does not close before the box is ticked');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  t.notOk((await page.content()).includes(key), 'not in the page');
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';
  t.notOk(String(await page.evaluate(stored)).includes(key), 'not in the storage');

  const row = page.getByRole('row', { name: /Shop backend/ });
  await row.getByRole('button', { name: 'Actions for Shop backend' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel('Type “Shop backend” to confirm').fill('Shop backend');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await row.waitFor({ state: 'detached' });
});

t.test(
  'a refused setting keeps what was typed and says why at its field',
  needsBrowser,
  async (t) => {
    const place = await workplace(t, 'Settings');
    const page = await place.open('settings', { expects: /400/ });
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('nonsense');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('expected an http or https URL').first().waitFor();
    t.equal(await url.inputValue(), 'nonsense');
    t.equal(await url.getAttribute('aria-invalid'), 'true');
    t.strictSame(await axeFindings(page), []);

    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Renamed');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings were saved.').waitFor();
    const app = (await place.call('GET', `/v1/apps/${place.appId}`)) as { readonly name: string };
    t.equal(app.name, 'Renamed');
  },
);

t.test('a credential with a wrong value says so at its field', needsBrowser, async (t) => {
  const place = await workplace(t, 'Channels');
  const page = await place.open('channels/line', { expects: /400/ });
  const token = page.getByRole('textbox', { name: 'Channel access token' });
  await token.fill('short');
  await page.getByRole('button', { name: 'Save credential' }).click();
  await page.getByText('must be 16 to 1024').waitFor();
  t.equal(await token.inputValue(), 'short');
  await token.fill('a-token-that-is-long-enough');
  await page.getByRole('button', { name: 'Save credential' }).click();
  await page.getByRole('button', { name: 'Replace credential' }).waitFor();
  t.notOk((await page.content()).includes('a-token-that-is-long-enough'));
  t.strictSame(await axeFindings(page), []);
});

t.test('a webhook gets only the kinds that were ticked', needsBrowser, async (t) => {
  const place = await workplace(t, 'Webhooks');
  const page = await place.open('integrations/new');
  await page.getByRole('textbox', { name: 'URL' }).fill(`${place.sandboxUrl}/hook`);
  await page.getByRole('button', { name: 'Connect webhook' }).click();
  await page.getByText('Choose at least one event type.').waitFor();
  await page.getByRole('checkbox', { name: /^message\.bounced/ }).check();
  await page.getByRole('button', { name: 'Connect webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret for the webhook' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  const path = `/v1/apps/${place.appId}/integrations/webhook`;
  const saved = (await place.call('GET', path)) as { readonly events: readonly string[] };
  t.strictSame(saved.events, ['message.bounced']);
  t.strictSame(await axeFindings(page), []);
});

t.test('a client is created with an owner, by its own key', needsBrowser, async (t) => {
  const place = await workplace(t, 'Agency');
  const page = await place.open('/org/clients');
  await page.getByRole('button', { name: 'Create client' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour Coffee');
  await page.getByRole('textbox', { name: 'Also invite as owner' }).fill('eve@harbour.example');
  await page.locator('button[form="create-client"]').click();
  const dialog = page.getByRole('dialog', { name: 'Harbour Coffee is ready' });
  await dialog.waitFor();
  const key = (await dialog.locator('pre').first().innerText()).trim();
  const answer = await fetch(`${place.url}/v1/org/members`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.match(await answer.json(), { items: [{ email: 'eve@harbour.example', role: 'owner' }] });
  t.strictSame(await axeFindings(page), []);
});

t.test('branding that is inherited is grey until it is overridden', needsBrowser, async (t) => {
  const place = await workplace(t, 'Brand');
  const page = await place.open('/org/branding');
  await page.getByRole('button', { name: 'Override Product name' }).click();
  await page.getByRole('textbox', { name: 'Product name' }).fill('Northwind');
  await page.getByLabel('Preview').getByText('Northwind').first().waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The branding is saved.').waitFor();
  const saved = (await place.call('GET', '/v1/org/branding')) as { readonly productName: string };
  t.equal(saved.productName, 'Northwind');
  t.strictSame(await axeFindings(page), []);
});
