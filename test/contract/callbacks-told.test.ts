// The sandbox's stand-ins call the product back as their providers do, each proved in its own way:
// what arrives and is read, what fails later, and who leaves and comes back.

import t, { type Test } from 'tap';
import { type ChatChannel, chatCredentials } from '../actors/sending/callbacks/chat-provider.ts';
import { until } from '../support/server.ts';
import { type Chapter, chapter } from './chapter.ts';

const whatsapp = {
  phoneNumberId: '123456',
  accessToken: 'x'.repeat(32),
  appSecret: 'app-secret-of-this-tenant',
  verifyToken: 'verify me',
};
type Channel = ChatChannel | 'whatsapp';
/** As in callbacks.test.ts, which shares the server. */
const publicUrl = 'https://callbacks.example.com/engage';

/** What is stored for a channel, and what its calls are proved with. */
const accounts: Readonly<Record<Channel, { readonly stored: object; readonly proof?: object }>> = {
  line: { stored: chatCredentials.line, proof: { secret: chatCredentials.line.channelSecret } },
  zalo: {
    stored: chatCredentials.zalo,
    proof: { secret: chatCredentials.zalo.oaSecretKey, appId: chatCredentials.zalo.appId },
  },
  viber: { stored: chatCredentials.viber },
  telegram: { stored: chatCredentials.telegram },
  whatsapp: { stored: whatsapp, proof: { secret: whatsapp.appSecret } },
};

async function control({ server }: Chapter, path: string, body: object) {
  const response = await fetch(`${server.sandboxUrl}/control${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

/** Stores the credential, and has the stand-in call back. */
async function connect(t: Test, one: Chapter, channel: Channel) {
  const { stored, proof } = accounts[channel];
  // Zalo takes a refresh token once.
  const own = channel === 'zalo' ? { ...stored, refreshToken: `refresh-of-${one.app}` } : stored;
  const reply = await one.takes(t, `POST ${one.base}/credentials/${channel}`, own, 201);
  const url = `${one.server.url}/v1/webhooks/${channel}/${one.app}`;
  if (proof === undefined) {
    t.same(reply.json.webhook, { url, registered: true }, 'the provider was told by the product');
    return;
  }
  t.equal(reply.json.webhook, undefined);
  t.match(await control(one, `/${channel}/webhook`, { url, ...proof }), { status: 200 });
}

async function sendTo(one: Chapter, channel: Channel, endpoint: string): Promise<string> {
  const externalUserId = `${channel} ${endpoint}`;
  await one.api.must(`POST ${one.base}/subscribers`, {
    externalUserId,
    devices: [{ channel, endpoint }],
  });
  const { id } = await one.api.must(`POST ${one.base}/notifications`, {
    externalUserId,
    channels: [channel],
    title: 'Hi',
    body: 'There',
  });
  return id;
}

const eventsOf = async (one: Chapter, name: string) =>
  (await one.api.must(`GET ${one.base}/events?name=${name}&limit=200`)).items as {
    readonly sendId?: string;
  }[];

const within = (check: () => Promise<boolean>, what: string) =>
  until(check, () => `${what} never came`, 20_000);

t.test('what the stand-ins tell of messages is taken', async (t) => {
  const one = await chapter(t);
  const people = {
    zalo: ['4111', '15005550031', '15005550032'],
    viber: ['plain-person', 'twice-person', 'backwards-person'],
    whatsapp: ['+14155550123', '+15005550031', '+15005550032', '+15005550036'],
  } as const;
  const sent: string[] = [];
  for (const channel of ['zalo', 'viber', 'whatsapp'] as const) {
    await connect(t, one, channel);
    for (const person of people[channel]) sent.push(await sendTo(one, channel, person));
  }
  const opened = async () => (await eventsOf(one, 'opened')).map(({ sendId }) => sendId).sort();
  await within(async () => (await opened()).length >= sent.length, 'a read');
  t.same(await opened(), [...sent].sort(), 'each is opened once');

  const failed = [
    await sendTo(one, 'viber', 'late-person'),
    await sendTo(one, 'whatsapp', '+15005550037'),
  ];
  const bounced = async () => (await eventsOf(one, 'bounced')).map(({ sendId }) => sendId).sort();
  await within(async () => (await bounced()).length >= 2, 'a bounce');
  t.same(await bounced(), [...failed].sort());
});

t.test('who leaves in a stand-in is out, and who comes back is in', async (t) => {
  const one = await chapter(t);
  const people = {
    line: `U${'1'.repeat(32)}`,
    zalo: '4111',
    viber: 'somebody',
    telegram: '4111',
  };
  const listed = async () => (await one.api.must(`GET ${one.base}/suppressions`)).items.length;
  // Not WhatsApp's, which tells seconds: of one of them STOP counts, whatever came after.
  for (const channel of ['line', 'zalo', 'viber', 'telegram'] as const) {
    await connect(t, one, channel);
    const from = people[channel];
    const id = await sendTo(one, channel, from);
    const reached = async () =>
      (await one.api.must(`GET ${one.base}/notifications/${id}`)).status === 'delivered';
    await within(reached, 'a delivery');
    const act = (more: object) => control(one, `/${channel}/inbound`, { from, ...more });
    t.match(await act({ does: 'leaves' }), { status: 200, json: { status: 200 } }, channel);
    t.equal(await listed(), 1, channel);
    t.match(await act({ does: 'comes' }), { json: { status: 200 } }, channel);
    t.equal(await listed(), 0, channel);
    t.match(await act({ text: 'STOP' }), { json: { status: 200 } }, channel);
    t.equal(await listed(), 1, channel);
    t.match(await act({ text: 'START' }), { json: { status: 200 } }, channel);
    t.equal(await listed(), 0, channel);
    t.match(await act({ does: 'leaves', isForged: true }), { json: { status: 403 } }, channel);
    t.equal(await listed(), 0, channel);
  }
});

t.test('an address that a provider does not take leaves the credential stored', async (t) => {
  const one = await chapter(t, { ENGAGE_PUBLIC_URL: publicUrl });
  const reply = await one.takes(
    t,
    `POST ${one.base}/credentials/viber`,
    chatCredentials.viber,
    201,
  );
  t.match(reply.json, {
    channel: 'viber',
    webhook: {
      url: `${publicUrl}/v1/webhooks/viber/${one.app}`,
      registered: false,
      reason: 'invalid_url',
      detail: /^status 1: invalidUrl/,
    },
  });
  const { items } = await one.api.must(`GET ${one.base}/credentials`);
  t.match(items, [{ channel: 'viber' }]);
});

t.test('in live mode an address that nobody could call is not tried', async (t) => {
  const one = await chapter(t, { ENGAGE_MODE: 'live' });
  for (const channel of ['viber', 'telegram'] as const) {
    const stored = chatCredentials[channel];
    const reply = await one.takes(t, `POST ${one.base}/credentials/${channel}`, stored, 201);
    t.match(reply.json.webhook, { registered: false, reason: 'address_not_reachable' });
  }
});
