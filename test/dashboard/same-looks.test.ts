// What the dashboard previews and what the inbox shows of the same message: one picture, on all
// thirteen channels.

import { join } from 'node:path';
import t, { type Test } from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { loadEntities } from '../../dashboard/preview/entities.ts';
import { lookOf, type PreviewItem } from '../../dashboard/preview/look-of.ts';
import { FakeElement, fakeDocument } from '../looks/fake-document.ts';
import { root } from '../support/places.ts';
import { eventually, until } from '../support/server.ts';
import { workplace } from './support/browser.ts';

await loadEntities();
Object.assign(globalThis, { document: fakeDocument });
const { drawLook } = (await import(join(root, 'looks/looks.js'))) as {
  drawLook(message: object): FakeElement;
};
t.teardown(() => Reflect.deleteProperty(globalThis, 'document'));

const message = {
  name: 'Parcel',
  title: 'On its way, {{ first_name }}',
  body: 'Your parcel *1042* has left.',
  image: 'https://cdn.example/parcel.png',
  buttons: [{ id: 'track', label: 'Track it', url: 'https://shop.example/track' }],
  payload: {
    kakao: { templateId: 'KA01', variables: { '#{name}': '{{ first_name }}' } },
    zalo: { templateId: 'transaction_order', params: { Order: '1042' } },
  },
};

const phone = '+14155550123';
const endpoints: Readonly<Record<string, unknown>> = {
  fcm: 'phone-of-grace',
  apns: 'c0ffee00'.repeat(8),
  email: 'grace@example.com',
  sms: phone,
  voice: phone,
  whatsapp: phone,
  telegram: '123456789',
  rcs: phone,
  line: 'U0123456789abcdef0123456789abcdef',
  zalo: '1234567890123456',
  viber: '01234567890A=',
  kakao: '+821012345678',
};

t.test('the inbox shows what the dashboard previewed', async (t) => {
  const place = await workplace(t);
  const { sandboxUrl, call } = place;
  const app = `/v1/apps/${place.appId}`;
  const { id } = (await call('POST', `${app}/messages`, message)) as { readonly id: string };
  await call('POST', `${app}/subscribers`, {
    externalUserId: 'grace',
    tags: { first_name: 'Grace' },
    devices: [
      ...Object.entries(endpoints).map(([channel, endpoint]) => ({ channel, endpoint })),
      { channel: 'webpush', endpoint: await subscription(sandboxUrl) },
    ],
  });
  const { items } = (await call('POST', `${app}/messages/${id}/preview`, {
    externalUserId: 'grace',
  })) as { readonly items: readonly PreviewItem[] };
  t.strictSame(items.map(({ channel }) => channel).sort(), [...channelIds].sort());
  const test = (await call('POST', `${app}/messages/${id}/test`, { externalUserId: 'grace' })) as {
    readonly id: string;
  };
  let outcomes: readonly { readonly status: string }[] = [];
  await until(
    async () => {
      ({ outcomes } = (await call('GET', `${app}/notifications/${test.id}`)) as {
        readonly outcomes: typeof outcomes;
      });
      const done = outcomes.filter(({ status }) => status === 'delivered');
      return done.length === channelIds.length;
    },
    () => `the test did not go out on all thirteen channels: ${JSON.stringify(outcomes)}`,
  );
  const shown = await inboxOf(sandboxUrl);
  for (const item of items) await sameLook(t, sandboxUrl, item, shown);
});

interface Row {
  readonly id: number;
  readonly channel: string;
}

async function sameLook(t: Test, sandboxUrl: string, item: PreviewItem, shown: readonly Row[]) {
  const { channel } = item;
  const row = shown.find((one) => one.channel === channel);
  if (row === undefined) throw new Error(`${channel}: nothing arrived`);
  const received = (await read(`${sandboxUrl}/control/messages/${row.id}`)) as object;
  // Accounts, addresses and clocks are the stand-ins' own.
  const same = { at: '2026-11-24T10:00:00Z', to: 'grace', sender: 'Shop', mailTo: undefined };
  const previewed = { ...lookOf(item, { at: '', appName: '' }), ...same };
  t.strictSame(
    pictureOf(drawLook({ ...previewed })),
    pictureOf(drawLook({ ...received, ...same })),
    channel,
  );
}

/** All elements and words, one a line. Where a mail's page is served differs. */
function pictureOf(element: FakeElement, depth = 0): readonly string[] {
  const { tag, className, children } = element;
  return [
    `${' '.repeat(depth)}${tag}.${className}`,
    ...children.flatMap((child) =>
      child instanceof FakeElement
        ? pictureOf(child, depth + 1)
        : [`${' '.repeat(depth + 1)}“${child}”`],
    ),
  ];
}

/** The newest message of each channel; some providers' calls carry no id of a send. */
async function inboxOf(sandboxUrl: string): Promise<readonly Row[]> {
  return eventually(async () => {
    const newest = await Promise.all(
      channelIds.map(async (channel) => {
        const answer = await read(`${sandboxUrl}/control/messages?channel=${channel}&limit=1`);
        return (answer as { readonly messages: readonly Row[] }).messages;
      }),
    );
    const rows = newest.flat();
    return rows.length === channelIds.length ? rows : undefined;
  }, 'not all thirteen channels have arrived');
}

async function subscription(sandboxUrl: string): Promise<unknown> {
  const url = `${sandboxUrl}/control/webpush/subscriptions`;
  const made = await fetch(url, { method: 'POST', body: '{}' });
  return ((await made.json()) as { readonly subscription: unknown }).subscription;
}

async function read(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}
