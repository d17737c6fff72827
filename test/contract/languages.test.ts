// What depends on a person's language beyond the text of a message: the words that Engage adds, the
// voice of a call, a WhatsApp template's translation.

import t from 'tap';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const all = await chapter(t);
const { api, base, takes, refuses, server } = all;
const sandbox = client(server.sandboxUrl);

await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'lan',
  tags: { language: 'vi-VN' },
  devices: [
    { channel: 'email', endpoint: 'lan@example.com' },
    { channel: 'voice', endpoint: '+84912345678' },
    { channel: 'whatsapp', endpoint: '+84912345678' },
    { channel: 'line', endpoint: `U${'a'.repeat(32)}` },
  ],
});

/** The newest message that the stand-in of a channel got, with the raw exchange. */
async function received(channel: string, more: object): Promise<string> {
  await sandbox.must('DELETE /control/messages');
  await api.must(`POST ${base}/notifications`, {
    externalUserId: 'lan',
    channels: [channel],
    title: 'Hi',
    body: 'Hello',
    ...more,
  });
  const found = await eventually(async () => {
    const { messages } = await sandbox.must(`GET /control/messages?channel=${channel}`);
    return messages[0];
  }, `${channel} got nothing`);
  return JSON.stringify(await sandbox.must(`GET /control/messages/${found.id}`));
}

const link = { deepLink: 'https://shop.example/1' };

t.test('our words are in the person’s language, or the app’s own', async (t) => {
  t.match(await received('line', link), /"label":"Mở"|Mở/);
  const mail = await received('email', { ...link, unsubscribe: 'both' });
  t.match(mail, /Mở/);
  t.match(mail, /Hủy đăng ký/);
  const wording = { vi: { open: 'Xem ngay' }, default: { unsubscribe: 'Leave' } };
  const patched = await takes(t, `PATCH ${base}/settings`, { wording }, 200);
  t.same(patched.json.wording, wording);
  t.match(await received('line', link), /Xem ngay/);
  t.match(await received('email', { ...link, unsubscribe: 'both' }), /Leave/);
  const bad: readonly (readonly [object, string])[] = [
    [{ 'not a tag': {} }, 'wording.not a tag'],
    [{ vi: { open: 'x'.repeat(21) } }, 'wording.vi.open'],
    [{ vi: { open: '' } }, 'wording.vi.open'],
    [{ vi: { doneTitle: 'a\nb' } }, 'wording.vi.doneTitle'],
    [{ 'pt-BR': {}, pt_br: {} }, 'wording.pt_br'],
  ];
  for (const [wrong, field] of bad)
    await refuses(t, `PATCH ${base}/settings`, { wording: wrong }, { status: 400, field });
  const none = await takes(t, `PATCH ${base}/settings`, { wording: null }, 200);
  t.equal(none.json.wording, null);
});

t.test('a call speaks the language of its text', async (t) => {
  t.match(await received('voice', {}), /vi-VN/);
  const localizations = { th: { body: 'สวัสดี' } };
  t.notMatch(await received('voice', { localizations }), /vi-VN|th-TH/, 'the default text');
  t.match(await received('voice', { payload: { voice: { language: 'en-GB' } } }), /en-GB/);
  const line = `POST ${base}/notifications`;
  const body = { externalUserId: 'lan', title: 'a', body: 'b' };
  await refuses(
    t,
    line,
    { ...body, payload: { voice: { language: 'Vietnamese please' } } },
    { status: 400, field: 'payload.voice.language' },
  );
});

t.test('a WhatsApp template without a language has the message’s or the person’s', async (t) => {
  const payload = { whatsapp: { templateName: 'order_update' } };
  t.match(await received('whatsapp', { payload }), /"vi"|\bvi\b/);
});

t.test('a person gets their language in whatever spelling it is stored', async (t) => {
  const localizations = { id: { title: 'Halo' }, zh_HK: { title: '你好' }, zh: { title: '您好' } };
  const made = await takes(
    t,
    `POST ${base}/messages`,
    { title: 'a', body: 'b', localizations },
    201,
  );
  t.same(Object.keys(made.json.localizations), ['id', 'zh-hk', 'zh']);
  const cases: Readonly<Record<string, string>> = {
    in_ID: 'Halo',
    'zh-Hant-HK': '你好',
    'zh_HK_#Hant': '你好',
    'zh-TW': '您好',
    'id-u-nu-latn': 'Halo',
    iw: 'a',
  };
  for (const [language, title] of Object.entries(cases)) {
    const asked = { channel: 'fcm', person: { tags: { language } } };
    const shown = await takes(t, `POST ${base}/messages/${made.json.id}/preview`, asked, 200);
    t.equal(shown.json.items[0].content.title, title, language);
    const spoken = { channel: 'fcm', language };
    const named = await takes(t, `POST ${base}/messages/${made.json.id}/preview`, spoken, 200);
    t.equal(named.json.items[0].content.title, title, `asked for ${language}`);
  }
  await refuses(
    t,
    `POST ${base}/messages`,
    { title: 'a', body: 'b', localizations: { id: {}, in: {} } },
    { status: 400, field: 'localizations.in', error: /twice; id is the same/ },
  );
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { wording: { he: {}, iw: {} } },
    { status: 400, field: 'wording.iw' },
  );
});
