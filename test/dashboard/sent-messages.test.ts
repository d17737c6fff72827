// What was sent is drawn where one looks for it: on the page of a send, in a person's story, on the
// campaign's page and in the review before it is sent.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, type PageOptions, phone, workplace } from './support/browser.ts';

const pictures = process.env['ENGAGE_TEST_PICTURES'];

t.test('a send, a story, a campaign and a review show the message', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const make = async (path: string, body: object) =>
    (await place.call('POST', `${app}/${path}`, body)) as { readonly id: string };
  const ada = await make('subscribers', {
    externalUserId: 'ada',
    tags: { first_name: 'Ada' },
    devices: [
      { channel: 'email', endpoint: 'ada@example.com' },
      { channel: 'fcm', endpoint: 'phone-of-ada' },
    ],
  });
  const send = await make('notifications', {
    externalUserId: 'ada',
    title: 'Your order has shipped',
    body: '<h1>On its way</h1><p>Hello {{ first_name }}, parcel {{ parcel }} has left.</p>',
    variables: { parcel: 'A-1042' },
  });
  const message = await make('messages', {
    name: 'Sale',
    title: 'Sale for {{ first_name | default: "you" }}',
    body: 'Everything is half price.',
    localizations: { de: { body: 'Alles zum halben Preis.' } },
  });
  const audience = { messageId: message.id, channels: ['email', 'fcm'] };
  const sent = await make('campaigns', { name: 'Sale', ...audience });
  await place.call('POST', `/v1/campaigns/${sent.id}/send`, {});
  const draft = await make('campaigns', { name: 'Next sale', ...audience });
  await place.call('PATCH', `${app}/messages/${message.id}`, { body: 'Edited since.' });

  const look = async (name: string, screen: string, drawn: (page: Page) => Promise<void>) => {
    for (const options of sizes) {
      const page = await place.open(screen, options);
      await drawn(page);
      await page.locator('.grey, [aria-busy="true"]').first().waitFor({ state: 'detached' });
      t.strictSame(await axeFindings(page), [], `${name}, ${nameOf(options)}`);
      if (pictures !== undefined)
        await page.screenshot({
          path: `${pictures}/${name}-${nameOf(options)}.png`,
          fullPage: true,
        });
      await page.context().close();
    }
  };
  await look('send', `activity/${send.id}`, async (page) => {
    const card = page.getByRole('region', { name: 'Message' });
    const mail = card.locator('iframe').contentFrame();
    await mail.getByText('Hello Ada, parcel A-1042 has left.').waitFor();
    await card.getByRole('button', { name: 'Android push' }).click();
    await card.locator('.look-fcm').getByText('Hello Ada, parcel A-1042 has left.').waitFor();
  });
  await look('story', `people/${ada.id}?kind=receipt`, async (page) => {
    await page.getByText('Your order has shipped').first().waitFor();
    const line = page
      .locator('.story li')
      .filter({ has: page.getByRole('link', { name: 'Sale' }) });
    await line.getByText('View message').first().click();
    await line.locator('.look').getByText('Everything is half price.').waitFor();
  });
  await look('campaign', `campaigns/${sent.id}?tab=message&channel=fcm`, async (page) => {
    await page.getByText('Later edits of the message do not change it').waitFor();
    await page.locator('.look-fcm').getByText('Everything is half price.').waitFor();
    await page.getByRole('button', { name: 'Ada', exact: true }).click();
    await page.locator('.look-fcm').getByText('Sale for Ada').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.locator('.look-fcm').getByText('Alles zum halben Preis.').waitFor();
  });
  await look('review', `campaigns/${draft.id}?fold=review&channel=fcm`, async (page) => {
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    const card = page.getByRole('region', { name: 'What they get' });
    await card.getByText('It is copied when the campaign starts').waitFor();
    await card.locator('.look-fcm').getByText('Edited since.').waitFor();
  });
});

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof workplace>>['open']>>;

const sizes: readonly PageOptions[] = [
  { size: desk, scheme: 'light' },
  { size: phone, scheme: 'dark' },
];

function nameOf({ size, scheme }: PageOptions): string {
  return `${size?.width ?? 0}-${scheme ?? ''}`;
}
