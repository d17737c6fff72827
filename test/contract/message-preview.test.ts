// Contract, section 5: what would leave of a message is shown before anybody gets it, and a test of
// it is a send like any other that says what it is. The sandbox's stand-ins hold what was previewed
// against what was sent.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { client, eventually } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, app, takes, refuses, server } = all;
const sandbox = client(server.sandboxUrl);
const messages = `${base}/messages`;

const ada = await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  tags: { first_name: 'Ada', language: 'de' },
  devices: [
    { channel: 'email', endpoint: 'ada@example.com' },
    { channel: 'fcm', endpoint: 'token-of-ada' },
  ],
});
const message = await api.must(`POST ${messages}`, {
  title: 'Hi {{ first_name }}',
  body: '<p>At {{ app.name }} {{ order }}</p>',
  deepLink: 'https://shop.example/new',
  priority: 'high',
  collapseKey: 'news',
  data: { screen: 'new' },
  localizations: { de: { body: '<p>Bei {{ app.name }}</p>' } },
});
const preview = `POST ${messages}/${message.id}/preview`;
const test = `POST ${messages}/${message.id}/test`;

interface Item {
  readonly channel: string;
  readonly deviceId: string | null;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** A send that has come to its end. */
const settled = (id: string) =>
  eventually(async () => {
    const send = await api.must(`GET ${base}/notifications/${id}`);
    return send.outcomes.length === 2 ? send : undefined;
  }, 'the send does not end');

t.test('what was previewed is what a test sends, but for the ids and the link', async (t) => {
  const { items } = (await takes(t, preview, { externalUserId: 'ada' }, 200)).json;
  t.equal(items.length, channelIds.length, 'every channel');
  const of = (channel: string): Item => items.find((item: Item) => item.channel === channel);
  const sent = await takes(t, test, { externalUserId: 'ada' }, 202);
  t.match(sent.json, { id: /^ntf_/, status: 'pending' });
  const { id } = sent.json;
  t.equal(sent.headers['x-ratelimit-lane'], 'transactional');
  t.match(await settled(id), { status: 'delivered', test: true });
  const received = (await sandbox.must(`GET /control/messages?sendId=${id}`)).messages;
  t.equal(received.length, 2);
  for (const { id: number, channel } of received) {
    const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
    const { deviceId, payload } = of(channel);
    t.ok(deviceId, 'her own device');
    const told = JSON.parse(JSON.stringify(payload).replaceAll('ntf_preview', id));
    if (channel === 'fcm') {
      t.same(told, JSON.parse(exchange.requestBody));
      continue;
    }
    // What unsubscribes is made for each mail; a preview has none that works.
    const mail = await simpleParser(
      exchange.requestBody
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/https?:[^\s"<>]+\/u\/[\w-]+/g, 'https://unsubscribe.invalid/preview')
        .replaceAll(/https?:[^\s"<>]+\/p\/[\w-]+/g, 'https://preferences.engage.invalid/p'),
    );
    // The same of what counts opens and clicks.
    const html = String(mail.html)
      .replaceAll(/https?:[^\s"<>]+\/o\/[\w-]+\.gif/g, 'https://tracked.invalid/o/preview.gif')
      .replaceAll(
        /https?:[^\s"<>]+\/c\/[\w-]+/g,
        `https://tracked.invalid/c/preview?to=${encodeURIComponent('https://shop.example/new')}`,
      );
    const lines = (one: unknown) => String(one).replaceAll('\r\n', '\n').trimEnd();
    t.equal(mail.subject, told.subject);
    t.equal(lines(html), lines(told.html));
    t.equal(lines(mail.text), lines(told.text));
    t.equal(mail.headers.get('x-engage-send-id'), told.headers['X-Engage-Send-Id']);
    t.match(told.headers['List-Unsubscribe'], 'https://unsubscribe.invalid/preview');
  }
});

t.test(
  'a preview is for any person, channel and language, with variables of the call',
  async (t) => {
    const one = async (body: object) => (await takes(t, preview, body, 200)).json.items[0];
    t.match(await one({ channel: 'fcm' }), {
      channel: 'fcm',
      language: null,
      deviceId: null,
      content: { title: 'Hi', body: 'At Contract', priority: 'high', data: { screen: 'new' } },
      payload: { message: { token: 'preview-device-token', notification: { title: 'Hi' } } },
    });
    t.match(await one({ subscriberId: ada.id, channel: 'email' }), {
      language: 'de',
      content: { title: 'Hi Ada', body: '<p>Bei Contract</p>' },
      payload: {
        subject: 'Hi Ada',
        text: /Bei Contract/,
        headers: { 'List-Unsubscribe': /invalid/ },
      },
    });
    const english = { subscriberId: ada.id, channel: 'sms', language: 'en_US' };
    t.match(await one({ ...english, variables: { order: 7, first_name: 'Eve' } }), {
      language: null,
      content: { title: 'Hi Eve', body: 'At Contract 7' },
    });
    t.match(await one({ channel: 'sms', language: 'de-AT' }), { language: 'de' });
  },
);

t.test('what is wrong with a question is said by the name of its member', async (t) => {
  const unknown = `sub_${'0'.repeat(26)}`;
  for (const [body, field, status] of [
    [{ subscriberId: unknown }, 'subscriberId', 404],
    [{ externalUserId: 'ben' }, 'externalUserId', 404],
    [{ subscriberId: ada.id, externalUserId: 'ada' }, 'externalUserId', 400],
    [{ channel: 'pigeon' }, 'channel', 400],
    [{ language: 'not a language' }, 'language', 400],
    [{ variables: { a: null } }, 'variables.a', 400],
  ] as const) {
    await refuses(t, preview, body, { status, field });
    if ('channel' in body || 'language' in body || 'variables' in body) continue;
    await refuses(t, test, body, { status, field });
  }
  await refuses(t, test, {}, { status: 400, field: 'subscriberId' });
  await refuses(
    t,
    test,
    { externalUserId: 'ada', channels: [] },
    { status: 400, field: 'channels' },
  );
  const gone = `${messages}/msg_${'0'.repeat(26)}`;
  for (const line of [`POST ${gone}/preview`, `POST ${gone}/test`])
    await refuses(t, line, { externalUserId: 'ada' }, { status: 404, error: 'message not found' });
});

t.test('an error of one channel leaves the others as they are, and refuses a test', async (t) => {
  const { id } = await api.must(`POST ${messages}`, { body: 'only text' });
  const { items } = (await takes(t, `POST ${messages}/${id}/preview`, {}, 200)).json;
  for (const { channel, content, error } of items) {
    if (channel !== 'email') t.equal(content?.body, 'only text', channel);
    else t.match(error, { field: 'title', error: /^title: is empty for this person/ });
  }
  const line = `POST ${messages}/${id}/test`;
  await refuses(t, line, { externalUserId: 'ada' }, { status: 400, field: 'title' });
  await takes(t, line, { externalUserId: 'ada', channels: ['fcm'] }, 202);
});

t.test('a test is asked for once with a key, and its receipts say what they are', async (t) => {
  const body = { externalUserId: 'ada', idempotencyKey: 'try-1' };
  const first = await takes(t, test, body, 202);
  const again = await takes(t, test, body, 202);
  t.same([again.json, again.headers['x-idempotent-replay']], [first.json, 'true']);
  await refuses(
    t,
    test,
    { ...body, channels: ['fcm'] },
    { status: 409, code: 'idempotency_conflict' },
  );
  await settled(first.json.id);
  await takes(
    t,
    `POST ${base}/notifications`,
    { externalUserId: 'ada', title: 'x', body: 'x' },
    202,
  );
  const { items } = await api.must(`GET ${base}/events?subscriberId=${ada.id}&name=delivered`);
  const ofTest = items.filter(({ sendId }: { sendId: string }) => sendId === first.json.id);
  t.equal(ofTest.length, 2);
  for (const { meta } of ofTest) t.equal(meta.test, true);
});

t.test('reading shows a preview and sending makes a test, not the other way round', async (t) => {
  const made = async (...scopes: string[]) => {
    const { key } = await api.must('POST /v1/keys', { name: 'x', scopes, appId: app });
    return withKey(all, key);
  };
  const reader = await made('read');
  const sender = await made('send');
  const to = { externalUserId: 'ada' };
  t.equal((await reader.call(preview, to)).status, 200);
  t.equal((await sender.call(preview, to)).status, 403);
  t.equal((await reader.call(test, to)).status, 403);
  t.equal((await sender.call(test, to)).status, 202);
});

t.test('what a channel cannot carry is named before the send, and in its story', async (t) => {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'bo',
    devices: [{ channel: 'sms', endpoint: '+84912345670' }],
  });
  const words = {
    body: 'Sale',
    deepLink: 'shop://sale',
    buttons: [{ label: 'Look', url: 'https://shop.example/sale' }, { label: 'Later' }],
  };
  const { id } = await api.must(`POST ${messages}`, words);
  const { items } = await api.must(`POST ${messages}/${id}/preview`, {
    externalUserId: 'bo',
    channel: 'sms',
  });
  const dropped = [
    { field: 'deepLink', why: 'SMS opens no shop: links' },
    { field: 'buttons[1]', why: 'SMS shows no button without a link here' },
  ];
  t.same(items[0].dropped, dropped);
  t.equal(items[0].payload.Body, 'Sale\nLook: https://shop.example/sale');
  const { id: send } = await api.must(`POST ${base}/notifications`, {
    externalUserId: 'bo',
    ...words,
  });
  const story = await eventually(async () => {
    const { status, story } = await api.must(`GET ${base}/notifications/${send}?story=true`);
    return status === 'pending' ? undefined : story;
  }, 'the send stays pending');
  const delivered = story.find(({ code }: { code: string }) => code === 'delivered');
  t.match(delivered, { dropped, text: /without deepLink and buttons\[1\]\.$/ });
});
