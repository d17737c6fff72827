// What the dashboard says of a provider that asks for fewer messages: since when, and the next try.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const sentence = /Slowed down by the provider since \d\d:\d\d, next attempt \d\d:\d\d\./;

t.test('cards, channel and campaign say it', needsBrowser, async (t) => {
  const place = await workplace(t, 'Slow');
  const app = `/v1/apps/${place.appId}`;
  // The stand-in of FCM answers such a device 429, with ten minutes to wait.
  for (const [who, endpoint] of [
    ['ann', 'quota600-a'],
    ['bob', 'phone-b'],
  ])
    await place.call('POST', `${app}/subscribers`, {
      externalUserId: who,
      devices: [{ channel: 'fcm', endpoint }],
    });
  const send = { externalUserId: 'ann', channels: ['fcm'], title: 'T', body: 'x' };
  await place.call('POST', `${app}/notifications`, send);
  const page = await place.open('channels');
  const card = page.locator('.channel-card', { hasText: sentence });
  await card.getByText('Slowed down', { exact: true }).waitFor();
  t.strictSame(await axeFindings(page), []);

  const onPhone = await place.open('channels/fcm', { size: phone, scheme: 'dark' });
  await onPhone.getByText(sentence).waitFor();
  t.strictSame(await axeFindings(onPhone), []);

  const { id: messageId } = (await place.call('POST', `${app}/messages`, {
    name: 'News',
    title: 'T',
    body: 'x',
  })) as { readonly id: string };
  const { id } = (await place.call('POST', `${app}/campaigns`, {
    name: 'News',
    messageId,
    channels: ['fcm'],
    schedule: { type: 'now' },
  })) as { readonly id: string };
  await place.call('POST', `${app}/campaigns/${id}/send`, {});
  const campaign = await place.open(`campaigns/${id}`);
  await campaign
    .getByText(/slowed down by the provider since \d\d:\d\d, next attempt \d\d:\d\d\./)
    .first()
    .waitFor();
  t.strictSame(await axeFindings(campaign), []);
});
