// What the review of a campaign says its texts cost.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(`the review says what texts cost, on ${name}`, needsBrowser, async (t) => {
    const { call, open, appId } = await workplace(t);
    const app = `/v1/apps/${appId}`;
    const numbers = ['+84901234567', '+84901234568', '+6281234567890', '+66812345678'];
    for (const [nth, endpoint] of numbers.entries())
      await call('POST', `${app}/subscribers`, {
        externalUserId: `person-${nth}`,
        devices: [{ channel: 'sms', endpoint }],
      });
    await call('POST', `${app}/relays`, {
      ...{ name: 'Vonage', channel: 'sms', kind: 'http' },
      config: {
        ...{ recipe: 'vonage', from: 'Shop' },
        credentials: { apiKey: 'a', apiSecret: 'b', reports: 'c' },
        price: { currency: 'USD', byCountry: { VN: 0.0333, ID: 0.5 } },
      },
    });
    // Of another currency: the relay's own prices win.
    const euros = { currency: 'EUR', perSegment: 9 };
    await call('PATCH', `${app}/settings`, { textPrices: euros });
    const { id: messageId } = (await call('POST', `${app}/messages`, {
      name: 'Sale',
      body: 'Chào bạn',
    })) as { readonly id: string };
    const { id } = (await call('POST', `${app}/campaigns`, {
      ...{ name: 'Texts', messageId, channels: ['sms'] },
      filter: { tag: 'unknown', exists: false },
    })) as { readonly id: string };
    const page = await open(`campaigns/${id}`, { size, scheme });
    await page.getByRole('button', { name: 'Review', exact: true }).first().click();
    const card = page.getByRole('region', { name: 'Cost of text messages' });
    await card.getByText('With the prices of the relay “Vonage”').waitFor();
    await card.getByText('No price is known for Thailand.').waitFor();
    const row = (of: string) => card.getByRole('row', { name: new RegExp(of) });
    t.match(await row('Vietnam').textContent(), /\$0\.066622/);
    t.match(await row('Total').textContent(), /\$0\.56744/);
    t.match(await row('Indonesia').textContent(), /\$0\.5011/, 'as money is written');
    t.strictSame(await axeFindings(page), []);
    const to = process.env['ENGAGE_SHOTS'];
    if (to !== undefined) await card.screenshot({ path: `${to}-cost-${scheme}.png` });

    const { items } = (await call('GET', `${app}/relays`)) as {
      readonly items: readonly { readonly id: string }[];
    };
    await call('DELETE', `${app}/relays/${items[0]?.id}`);
    const settings = await open('settings', { size, scheme });
    const part = settings.locator('#text-prices');
    t.equal(await part.getByLabel('Currency').inputValue(), 'EUR');
    await part.getByLabel('Currency').fill('usd');
    await part.getByLabel('Price per segment').fill('0.5');
    await part.getByLabel('Prices by country').fill('VN 0.04\nid: 0.06');
    if (to !== undefined) await part.screenshot({ path: `${to}-prices-${scheme}.png` });
    t.strictSame(await axeFindings(settings), []);
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    t.match(await call('GET', `${app}/settings`), {
      textPrices: { currency: 'USD', perSegment: 0.5, byCountry: { VN: 0.04, ID: 0.06 } },
    });
    const again = await open(`campaigns/${id}`, { size, scheme });
    await again.getByRole('button', { name: 'Review', exact: true }).first().click();
    const own = again.getByRole('region', { name: 'Cost of text messages' });
    await own.getByText('With the prices in App settings.').waitFor();
    t.match(await own.getByRole('row', { name: /Total/ }).textContent(), /\$0\.64/);
    await settings.bringToFront();
    await part.getByLabel('Currency').fill('');
    await part.getByLabel('Price per segment').fill('');
    await part.getByLabel('Prices by country').fill('');
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    t.match(await call('GET', `${app}/settings`), { textPrices: null });
  });
