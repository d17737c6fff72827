// The Telegram adapter: the conformance suite, the mapping as exact bodies, every row of its table
// of refusals, groups that moved, and the sandbox's stand-in at the other end.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { createTelegram } from '../../../../actors/channels/telegram/adapter.ts';
import { telegramMessage } from '../../../../actors/channels/telegram/message.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { tries } from '../../../support/tries.ts';
import { adapterAt, configOf, openHttp, previewIsWhatIsSent, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior } from '../stand-ins.ts';

const chat = '424242';
const secret = 'AAHdqTcvCHqvGWJxfSeofSAsqKrPALDsawX';
const bot = { botToken: `110201543:${secret}` };
const accept: HttpBehavior = {
  status: 200,
  body: JSON.stringify({ ok: true, result: { message_id: 42, chat: { id: 424242 } } }),
};

const attemptWith = (content: Partial<RenderedContent> = {}, endpoint = chat) =>
  anAttempt({ channel: 'telegram', endpoint, content });

function refused(
  code: number,
  description: string,
  parameters?: object,
  headers = {},
): HttpBehavior {
  const body = { ok: false, error_code: code, description, ...(parameters && { parameters }) };
  return { status: code, headers, body: JSON.stringify(body) };
}

const config = configOf('TELEGRAM');

type Row = readonly [
  code: number,
  words: string,
  outcome: ChannelSubject['outcomes'][string]['outcome'],
  reason: string,
];
// biome-ignore format: a table reads better packed
const rows: readonly Row[] = [
  [403, 'Forbidden: bot was blocked by the user', 'opted_out', 'blocked'],
  [403, 'Forbidden: user is deactivated', 'dead', 'user_deactivated'],
  [403, 'Forbidden: bot was kicked from the supergroup chat', 'dead', 'kicked'],
  [403, 'Forbidden: bot is not a member of the channel chat', 'dead', 'not_a_member'],
  [403, 'Forbidden: the group chat was deleted', 'dead', 'chat_deleted'],
  [403, "Forbidden: bot can't initiate conversation with a user", 'dead', 'not_started'],
  [403, "Forbidden: bot can't send messages to bots", 'dead', 'is_a_bot'],
  [403, 'Forbidden: something new', 'permanent', 'forbidden'],
  [403, '', 'permanent', 'forbidden'],
  [400, 'Bad Request: chat not found', 'permanent', 'chat_not_found'],
  [400, 'Bad Request: user not found', 'permanent', 'chat_not_found'],
  [400, 'Bad Request: PEER_ID_INVALID', 'permanent', 'chat_not_found'],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat', 'permanent', 'chat_migrated'],
  [400, 'Bad Request: not enough rights to send text messages to the chat', 'permanent', 'forbidden'],
  [400, "Bad Request: can't parse entities: Unsupported start tag", 'permanent', 'bad_markup'],
  [400, 'Bad Request: message is too long', 'permanent', 'text_too_long'],
  [400, 'Bad Request: message caption is too long', 'permanent', 'text_too_long'],
  [400, 'Bad Request: message text is empty', 'permanent', 'text_empty'],
  [400, 'Bad Request: BUTTON_URL_INVALID', 'permanent', 'button_invalid'],
  [400, "Bad Request: inline keyboard button URL 'x' is invalid: Wrong HTTP URL", 'permanent', 'button_invalid'],
  [400, 'Bad Request: wrong file identifier/HTTP URL specified', 'permanent', 'image_unusable'],
  [400, 'Bad Request: failed to get HTTP URL content', 'permanent', 'image_unusable'],
  [400, 'Bad Request: something new', 'permanent', 'bad_request'],
  [401, 'Unauthorized', 'config', 'bot_token_refused'],
  [404, 'Not Found', 'config', 'bot_not_found'],
  [409, 'Conflict: terminated by other getUpdates request', 'retry', 'conflict'],
  [413, 'Request Entity Too Large', 'permanent', 'payload_too_large'],
  [429, 'Too Many Requests: retry after 5', 'rate', 'throttled'],
  [408, 'Request Timeout', 'retry', 'http_408'],
  [425, 'Too Early', 'retry', 'http_425'],
  [418, 'I am a teapot', 'permanent', 'http_418'],
  [500, 'Internal Server Error', 'retry', 'http_500'],
  [502, 'Bad Gateway', 'retry', 'http_502'],
  [503, 'Service Unavailable', 'retry', 'unavailable'],
];

const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  ...Object.fromEntries(rows.map(([code, words]) => [`${code} ${words}`, refused(code, words)])),
  'a refusal with status 200': { status: 200, body: '{"ok":false,"error_code":400}' },
  'HTML of a gateway': { status: 502, body: '<html>no</html>' },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'retry_after in the body': refused(429, 'Too Many', { retry_after: 35 }, { 'retry-after': '9' }),
  'Retry-After alone': refused(429, 'Too Many', undefined, { 'retry-after': '9' }),
  'a day to wait': refused(429, 'Too Many', { retry_after: 86_400 }),
  'no delay': refused(429, 'Too Many'),
  'a gateway with a delay': refused(503, '', undefined, { 'retry-after': '7' }),
  echo: refused(400, `no: bot${bot.botToken} bot${secret} ${chat} a@example.com +14155550123`),
};

const subject: ChannelSubject = {
  name: 'telegram',
  attempt: () => attemptWith(),
  open: openHttp({
    create: createTelegram,
    config: (url) => config(url),
    credentials: bot,
    accept,
    behaviors,
    lateBody: '{"ok":true}',
  }),
  outcomes: {
    ...Object.fromEntries(
      rows.map(([code, words, outcome, reason]) => [`${code} ${words}`, { outcome, reason }]),
    ),
    'a refusal with status 200': { outcome: 'permanent', reason: 'bad_request' },
    'HTML of a gateway': { outcome: 'retry', reason: 'http_502' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
  },
  delays: {
    'retry_after in the body': 35_000,
    'Retry-After alone': 9_000,
    'a day to wait': 3_600_000,
    'no delay': 0,
    'a gateway with a delay': 7_000,
  },
  tooLarge: () => attemptWith({ body: 'é'.repeat(4_096) }),
  tooLargeReason: 'text_too_long',
  secrets: [bot.botToken, secret, chat, 'a@example.com', '4155550123'],
};

await channelConformance(t, subject);

const requestOf = (content: Partial<RenderedContent>, endpoint = chat) => {
  const made = telegramMessage(attemptWith(content, endpoint), endpoint);
  return 'method' in made ? { method: made.method, ...JSON.parse(made.body) } : made;
};
const html = { parse_mode: 'HTML' };
const off = { link_preview_options: { is_disabled: true } };

t.test('a message is mapped to exactly this call', async (t) => {
  const image = 'https://cdn.example.com/a.png';
  const words = '<b>Your order</b>\nIt has shipped.';
  const sendMessage = { method: 'sendMessage', chat_id: 424242, ...html, ...off };
  const button = (text: string, url: string) => [{ text, url }];
  const table: readonly (readonly [why: string, made: object, wanted: object])[] = [
    ['a text', requestOf({}), { ...sendMessage, text: words }],
    [
      'what only other channels know is left out',
      requestOf({
        data: { a: '1' },
        payload: { whatsapp: {} },
        options: {
          badgeCount: 3,
          sound: 'ding',
          ttlSeconds: 60,
          collapseKey: 'k',
          androidChannelId: 'c',
          priority: 'high',
        },
      }),
      { ...sendMessage, text: words },
    ],
    [
      'silence is asked for by sound',
      requestOf({ options: { sound: 'none' } }),
      { ...sendMessage, text: words, disable_notification: true },
    ],
    [
      'nothing in a text is markup',
      requestOf({ title: 'A & <b>', body: '1 < 2 > 0 &amp;' }),
      { ...sendMessage, text: '<b>A &amp; &lt;b&gt;</b>\n1 &lt; 2 &gt; 0 &amp;amp;' },
    ],
    ['no title', requestOf({ title: ' ', body: ' x ' }), { ...sendMessage, text: 'x' }],
    ['no body', requestOf({ body: '' }), { ...sendMessage, text: '<b>Your order</b>' }],
    [
      'buttons Telegram can open, one a row, then the deep link',
      requestOf({
        deepLink: 'https://shop.example.com/o/1',
        buttons: [
          { id: 'a', label: 'Track', url: 'https://shop.example.com/t' },
          { label: 'Chat', url: 'tg://resolve?domain=shop' },
          { label: 'App', url: 'shop://o/1' },
          { label: 'Mail', url: 'mailto:a@example.com' },
        ],
      }),
      {
        ...sendMessage,
        text: words,
        reply_markup: {
          inline_keyboard: [
            button('Track', 'https://shop.example.com/t'),
            button('Chat', 'tg://resolve?domain=shop'),
            button('Open', 'https://shop.example.com/o/1'),
          ],
        },
      },
    ],
    [
      'a button without a link leads where the message does',
      requestOf({ deepLink: 'https://a.example.com', buttons: [{ label: 'Look' }] }),
      {
        ...sendMessage,
        text: words,
        reply_markup: { inline_keyboard: [button('Look', 'https://a.example.com')] },
      },
    ],
    [
      'a link into an app has no button',
      requestOf({ deepLink: 'shop://o/1' }),
      { ...sendMessage, text: words },
    ],
    [
      'a picture',
      requestOf({ image }),
      { method: 'sendPhoto', chat_id: 424242, photo: image, caption: words, ...html },
    ],
    [
      'a picture alone',
      requestOf({ title: '', body: '', image }),
      { method: 'sendPhoto', chat_id: 424242, photo: image },
    ],
    [
      'a picture with much to say',
      requestOf({ title: '', body: 'x'.repeat(1_025), image }),
      {
        method: 'sendMessage',
        chat_id: 424242,
        text: 'x'.repeat(1_025),
        ...html,
        link_preview_options: { url: image, prefer_large_media: true, show_above_text: true },
      },
    ],
    [
      'a group',
      requestOf({}, '-1001234567890'),
      { ...sendMessage, chat_id: -1001234567890, text: words },
    ],
    [
      'a public name',
      requestOf({}, '@shop_news'),
      { ...sendMessage, chat_id: '@shop_news', text: words },
    ],
    [
      'a number that JSON would round',
      requestOf({}, '9007199254740993'),
      { ...sendMessage, chat_id: '9007199254740993', text: words },
    ],
  ];
  for (const [why, made, wanted] of table) t.strictSame(made, wanted, why);
});

t.test('limits count what is read, in UTF-16 units, and hold at the bound', async (t) => {
  const image = 'https://cdn.example.com/a.png';
  const method = (body: string, more: object = {}) =>
    requestOf({ title: '', body, ...more }).method;
  t.equal(method('é'.repeat(4_095)), 'sendMessage');
  t.equal(method('&'.repeat(4_096)), 'sendMessage', 'escapes do not count');
  t.match(requestOf({ title: '', body: 'é'.repeat(4_097) }), {
    outcome: 'permanent',
    reason: 'text_too_long',
    detail: '4097 characters, 4096 are allowed',
  });
  t.match(requestOf({ title: '', body: '😀'.repeat(2_049) }), { detail: /^4098 characters/ });
  t.match(
    requestOf({ title: 'abc', body: 'x'.repeat(4_093) }),
    { detail: /^4097/ },
    'with title and line break',
  );
  t.equal(requestOf({ title: 'abc', body: 'x'.repeat(4_092) }).method, 'sendMessage');
  t.equal(method('x'.repeat(1_023), { image }), 'sendPhoto');
  t.equal(method('x'.repeat(1_024), { image }), 'sendPhoto');
  t.equal(method('x'.repeat(1_025), { image }), 'sendMessage', 'the picture shows above the text');
  t.match(requestOf({ title: '', body: 'x'.repeat(4_097), image }), { reason: 'text_too_long' });
  t.match(requestOf({ title: '', body: ' \n' }), { outcome: 'permanent', reason: 'text_empty' });
});

t.test('a group that moved is written to under its new id, once and at once', async (t) => {
  const { telegram, adapter } = await rig(t, accept);
  const moved = refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -1001234567890,
  });
  telegram.meet((call, response) => {
    const { chat_id: to } = JSON.parse(call.body.toString());
    const answer = to === -4321 ? moved : accept;
    if (typeof answer === 'object') response.writeHead(answer.status).end(answer.body);
  });
  const attempt = attemptWith({}, '-4321');
  t.match(await adapter.send(attempt, bot), {
    outcome: 'accepted',
    moved: { from: '-4321', endpoint: '-1001234567890' },
  });
  t.same(
    telegram.calls.map(({ body }) => JSON.parse(body.toString()).chat_id),
    [-4321, -1001234567890],
  );
  telegram.meet(moved);
  telegram.calls.length = 0;
  const again = await adapter.send(attempt, bot);
  t.match(again, { outcome: 'permanent', reason: 'chat_migrated' });
  t.equal(telegram.calls.length, 2, 'not round and round');
  telegram.meet((_call, response) => {
    const [answer, status] = telegram.calls.length === 3 ? [moved, 400] : ['cut', 0];
    if (typeof answer === 'string') response.destroy();
    else if (typeof answer === 'object' && 'body' in answer)
      response.writeHead(Number(status)).end(answer.body);
  });
  t.match(await adapter.send(attempt, bot), { outcome: 'ambiguous', reason: 'connection_lost' });
});

t.test(
  'the call names the bot and the method in its address, and nothing else tells the token',
  async (t) => {
    const { telegram, outbound } = await rig(t, accept);
    const clock = fixedClock(acceptedMs);
    const send = (mode: 'live' | 'sandbox', credentials?: unknown, content = {}) =>
      createTelegram({ config: config(telegram.url, mode), outbound, clock }).send(
        attemptWith(content),
        credentials,
      );
    t.same(await send('live', bot), { outcome: 'accepted', providerMessageId: '424242:42' });
    t.match(await send('live', bot, { image: 'https://a.example.com/i.png' }), {
      outcome: 'accepted',
    });
    t.match(await send('sandbox'), { outcome: 'accepted' });
    t.same(
      telegram.calls.map(({ method, path }) => `${method} ${path}`),
      [
        `POST /bot${bot.botToken}/sendMessage`,
        `POST /bot${bot.botToken}/sendPhoto`,
        'POST /botsandbox/sendMessage',
      ],
    );
    for (const { headers, body } of telegram.calls)
      t.notOk(`${JSON.stringify(headers)}${body}`.includes(secret));
    t.equal(telegram.calls[0]?.headers['content-type'], 'application/json');
    for (const meets of [
      'cut',
      refused(404, `Not Found: /bot${bot.botToken}/sendMessage`),
    ] as const) {
      telegram.meet(meets);
      t.notOk(JSON.stringify(await send('live', bot)).includes(secret));
    }
    telegram.meet({ status: 200, body: 'cut sh' });
    t.same(await send('live', bot), { outcome: 'accepted' }, 'the status counts, id or not');
  },
);

t.test('what a preview shows is what is sent, or why nothing is', async (t) => {
  const { adapter, telegram } = await rig(t, accept);
  const words = fc.string({ maxLength: 30, unit: 'grapheme' });
  const content: fc.Arbitrary<RenderedContent> = fc.record(
    {
      title: words,
      body: fc.oneof(words, fc.constant('x'.repeat(4_100)), fc.constant('x'.repeat(1_100))),
      image: fc.constant('https://cdn.example.com/a.png'),
      deepLink: fc.constantFrom('shop://new', 'https://shop.example.com/'),
      buttons: fc.constant([{ label: 'Go', url: 'https://shop.example.com/1' }]),
      options: fc.record(
        { ttlSeconds: fc.nat(100), sound: fc.constant('none') },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['body', 'options'] },
  );
  const attempts = fc
    .tuple(content, fc.nat(200_000))
    .map(([content, ageMs]) => ({ ...attemptWith(), content, acceptedMs: acceptedMs - ageMs }));
  const send = (attempt: Attempt) => adapter.send(attempt, bot);
  await previewIsWhatIsSent(t, { provider: telegram, attempts, send });
});

t.test('whatever is written arrives as it was written, or is too long', async (t) => {
  const { url, messages } = await withSandbox(t);
  const { adapter } = adapterAt(t, createTelegram, config(`${url}/telegram`, 'sandbox'));
  const words = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter(isReadable);
  const markup = fc.constantFrom('<b>x</b>', '&lt;', 'a < b', '</i>', '&amp', '<a href="x">');
  await fc.assert(
    fc.asyncProperty(words, fc.oneof(words, markup), async (title, body) => {
      t.match(await adapter.send(attemptWith({ title, body }), undefined), { outcome: 'accepted' });
      const [message] = await messages();
      t.equal(message.title, title.trim());
      t.equal(message.text, body.trim());
    }),
    { numRuns: tries(60) },
  );
});

t.test('a chat that nobody knows is given up only by a bot that reaches others', async (t) => {
  const unknown = {
    status: 400,
    body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
  };
  const { telegram, adapter } = await rig(t, unknown);
  const send = async (botToken = '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA') =>
    (await adapter.send(attemptWith({}, '424242'), { botToken })).outcome;
  t.equal(await send(), 'permanent');
  telegram.meet({ status: 200, body: '{"ok":true,"result":{"message_id":7}}' });
  t.equal(await send(), 'accepted');
  telegram.meet(unknown);
  t.equal(await send(), 'dead');
  t.equal(await send('654321:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), 'permanent', 'another bot');
});

t.test('the chats of the sandbox get the outcome that they stand for', async (t) => {
  const { url, messages } = await withSandbox(t);
  const { adapter } = adapterAt(t, createTelegram, config(`${url}/telegram`, 'sandbox'));
  const chats: readonly (readonly [names: string, outcome: string, reason?: string])[] = [
    ['424242', 'accepted'],
    ['15005550001 @nochat', 'dead', 'chat_not_found'],
    ['15005550002 @stranger_x', 'dead', 'not_started'],
    ['15005550003 @readonly', 'permanent', 'forbidden'],
    ['15005550004 @blocked_ann', 'opted_out', 'blocked'],
    ['15005550005 @quota', 'rate', 'throttled'],
    ['15005550006 @busy_1', 'retry', 'http_502'],
    ['15005550007 @deactivated', 'dead', 'user_deactivated'],
    ['15005550008 @drop_1', 'ambiguous', 'connection_lost'],
    ['15005550009 @robot', 'dead', 'is_a_bot'],
    ['15005550010 @account', 'config', 'bot_token_refused'],
    ['@kicked', 'dead', 'kicked'],
    ['@noimage', 'permanent', 'image_unusable'],
    ['15005550011 @migrate 424242 @shop_news', 'accepted'],
  ];
  for (const [names, outcome, reason] of chats) {
    for (const endpoint of names.split(' ')) {
      const came = await adapter.send(attemptWith({}, endpoint), undefined);
      t.match(came, { outcome, ...(reason !== undefined && { reason }) }, endpoint);
    }
  }
  t.match(await adapter.send(attemptWith({}, '@quota30_x'), undefined), { retryAfterMs: 30_000 });
  t.match((await messages('?to=@shop'))[0], {
    channel: 'telegram',
    look: 'chat',
    title: 'Your order',
    text: 'It has shipped.',
    outcome: 'accepted',
  });
});

/** Not only blanks, and unchanged by the inbox or a title, which trim and use one line. */
function isReadable(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text);
}

async function rig(t: Test, first: HttpBehavior) {
  const { provider: telegram, ...rest } = await withProvider(t, createTelegram, config, first);
  return { telegram, ...rest };
}
