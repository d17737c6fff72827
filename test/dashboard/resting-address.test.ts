// An address that rests after soft bounces, on the page of its person, and the way to end that.

import t from 'tap';
import { mailMark } from '../../actors/channels/email/mail-mark.ts';
import { until } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];
/** What of the answers matters here. */
interface Answer {
  readonly id: string;
  readonly status: string;
  readonly outcomes: readonly { readonly deviceId: string }[];
  readonly devices: readonly { readonly restingUntil?: string }[];
}

const password = 'a-password-of-this-relay';

t.test('the page says until when, and somebody may try again now', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const must = (method: string, path: string, body?: object) =>
    place.call(method, path, body) as Promise<Answer>;
  const devices = [{ channel: 'email', endpoint: 'ann@example.com' }];
  const { id } = await must('POST', `${app}/subscribers`, { externalUserId: 'ann', devices });
  const softBounces = { inARow: 2, overDays: 0, restDays: 14 };
  await must('PATCH', `${app}/settings`, { softBounces });
  const { id: relay } = await must('POST', `${app}/relays`, {
    ...{ kind: 'postmark', name: 'Postmark', enabled: false },
    config: { serverToken: 'x'.repeat(36), eventsPassword: password },
  });
  for (const title of ['One', 'Two']) {
    const request = { externalUserId: 'ann', channels: ['email'], title, body: 'Hi' };
    const { id: sendId } = await must('POST', `${app}/notifications`, request);
    const read = () => must('GET', `${app}/notifications/${sendId}`);
    await until(
      async () => (await read()).status === 'delivered',
      () => 'the send is not delivered',
    );
    const [outcome] = (await read()).outcomes;
    const mark = mailMark({ sendId, deviceId: outcome?.deviceId ?? '' });
    const { status } = await fetch(`${place.url}/v1/webhooks/relay/${relay}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`engage:${password}`).toString('base64')}`,
      },
      body: JSON.stringify({
        ...{ RecordType: 'Bounce', Type: 'SoftBounce', Details: 'smtp;452 4.2.2 full' },
        ...{ Metadata: { engage: mark }, Email: 'ann@example.com' },
        BouncedAt: new Date().toISOString(),
      }),
    });
    t.equal(status, 200);
  }
  for (const options of [{ scheme: 'dark' as const }, { size: phone }]) {
    const page = await place.open(`people/${id}?tab=facts`, options);
    await page.getByText(/^Resting until .* after soft bounces/).waitFor();
    t.same(await axeFindings(page), []);
    if (picturesIn !== undefined)
      await page.screenshot({ path: `${picturesIn}/rest-${'size' in options}.png` });
    if (!('size' in options)) continue;
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByText('Marketing is sent to this address again.').waitFor();
    await page.getByText(/^Resting until/).waitFor({ state: 'hidden' });
    const { devices } = await must('GET', `${app}/subscribers/${id}`);
    t.equal(devices[0]?.restingUntil, undefined);
  }
});
