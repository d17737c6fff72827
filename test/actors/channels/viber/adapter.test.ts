// The Viber adapter: the conformance suite, every number of Viber's table, the mapping as exact
// bodies, tokens that no double holds, the two limits that have one number, and the sandbox's
// stand-in at the other end.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createViber } from '../../../../actors/channels/viber/adapter.ts';
import { viberErrors } from '../../../../actors/channels/viber/errors.ts';
import { viberMessage } from '../../../../actors/channels/viber/message.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { tries } from '../../../support/tries.ts';
import { configOf, openHttp, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior } from '../stand-ins.ts';

const person = '01234567890A=';
const bot = { authToken: '4453b6ac-1f11-4c0e-9b6f-5c1f3e0a9d21', senderName: 'Shop' };
const token = '5741311803571721087';
/** As Viber writes it; JSON.stringify could not. */
const accept: HttpBehavior = {
  status: 200,
  body: `{"status":0,"status_message":"ok","message_token":${token},"chat_hostname":"SN-CHAT-03_","billing_status":1}`,
};

/** Content as it is; `anAttempt` would give a title to what has none. */
const aViber = (content: Partial<RenderedContent> = {}, over: Partial<Attempt> = {}): Attempt => ({
  ...anAttempt({ channel: 'viber', endpoint: person }),
  content: { body: 'It has shipped.', options: {}, ...content },
  ...over,
});

function refused(status: number, words = 'no'): HttpBehavior {
  return {
    status: 200,
    body: JSON.stringify({ status, status_message: words, chat_hostname: 'SN-CHAT-03_' }),
  };
}

const config = configOf('VIBER');

type Row = readonly [
  status: number,
  outcome: ChannelSubject['outcomes'][string]['outcome'],
  reason: string,
];
// biome-ignore format: a table reads better packed
const rows: readonly Row[] = [
  [1, 'permanent', 'invalid_url'],
  [2, 'config', 'auth_token_refused'],
  [3, 'permanent', 'invalid_request'],
  [4, 'permanent', 'member_missing'],
  [5, 'permanent', 'not_registered'],
  [6, 'opted_out', 'not_subscribed'],
  [7, 'config', 'account_blocked'],
  [8, 'config', 'account_not_found'],
  [9, 'config', 'account_suspended'],
  [10, 'config', 'webhook_not_set'],
  [11, 'dead', 'no_suitable_device'],
  [12, 'rate', 'too_many_requests'],
  [13, 'permanent', 'api_version_unsupported'],
  [14, 'permanent', 'api_version_incompatible'],
  [15, 'config', 'not_authorized'],
  [16, 'permanent', 'inline_not_allowed'],
  [17, 'permanent', 'account_not_inline'],
  [18, 'permanent', 'no_public_chat'],
  [19, 'config', 'broadcast_refused'],
  [20, 'config', 'broadcast_not_allowed'],
  [21, 'permanent', 'unsupported_country'],
  [22, 'permanent', 'payment_unsupported'],
  [23, 'config', 'free_messages_used_up'],
  [24, 'config', 'balance_used_up'],
  [999, 'retry', 'status_999'],
  [-1, 'retry', 'status_-1'],
];
const httpRows: readonly Row[] = [
  [401, 'config', 'auth_token_refused'],
  [403, 'config', 'not_authorized'],
  [404, 'config', 'address_not_found'],
  [408, 'retry', 'http_408'],
  [413, 'permanent', 'payload_too_large'],
  [418, 'permanent', 'http_418'],
  [425, 'retry', 'http_425'],
  [429, 'rate', 'throttled'],
  [500, 'retry', 'http_500'],
  [502, 'retry', 'http_502'],
  [503, 'retry', 'unavailable'],
  [302, 'config', 'http_302'],
];

const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  ...Object.fromEntries(rows.map(([status]) => [`status ${status}`, refused(status)])),
  ...Object.fromEntries(httpRows.map(([status]) => [`HTTP ${status}`, { status }])),
  'nobody of that id, where others are reached': refused(5),
  'a yes that was cut': { status: 200, body: '{"status":0,"status_mess' },
  'a page of somebody else': { status: 200, body: '<html>' },
  'a status that is no number': { status: 200, body: '{"status":"0"}' },
  'a body with a status beneath a 502': { status: 502, body: '{"status":5}' },
  'seconds to wait': { status: 429, headers: { 'retry-after': '7' } },
  'a date to wait for': {
    status: 503,
    headers: { 'retry-after': new Date(acceptedMs + 90_000).toUTCString() },
  },
  'a day to wait': { status: 429, headers: { 'retry-after': '86400' } },
  'too many, without a delay': refused(12),
  echo: refused(3, `no: ${person} ${bot.authToken} someone@example.com +14155550123`),
};

const subject: ChannelSubject = {
  name: 'viber',
  attempt: () => aViber(),
  open: openHttp({
    create: createViber,
    config: (url) => config(url),
    credentials: bot,
    accept,
    behaviors,
    lateBody: '{"status":0}',
  }),
  outcomes: {
    ...Object.fromEntries(
      rows.map(([status, outcome, reason]) => [`status ${status}`, { outcome, reason }]),
    ),
    ...Object.fromEntries(
      httpRows.map(([status, outcome, reason]) => [`HTTP ${status}`, { outcome, reason }]),
    ),
    'nobody of that id, where others are reached': {
      outcome: 'dead',
      reason: 'not_registered',
      afterSuccess: true,
    },
    'a yes that was cut': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a page of somebody else': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a status that is no number': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a body with a status beneath a 502': { outcome: 'retry', reason: 'http_502' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'too many, without a delay': 0,
  },
  tooLarge: () => aViber({ body: 'x'.repeat(7_001) }),
  tooLargeReason: 'text_too_long',
  secrets: [person, bot.authToken, 'someone@example.com', '4155550123'],
};

await channelConformance(t, subject);

t.test('every number of the table is tried', (t) => {
  t.same(
    Object.keys(viberErrors).map(Number),
    rows.map(([status]) => status).filter((status) => status > 0 && status < 999),
  );
  t.end();
});

const image = 'https://cdn.example.com/a.png';
const shop = 'https://shop.example.com/';
const title = 'Your order';
const body = 'It has shipped.';
const { sendId, deviceId } = aViber();
const ids = `{"sendId":"${sendId}","deviceId":"${deviceId}"}`;
const key = (ActionType: string, ActionBody: string, Text: string) => ({
  Columns: 6,
  Rows: 1,
  ActionType,
  ActionBody,
  Text,
  Silent: true,
});
const keyboard = (...Buttons: object[]) => ({
  keyboard: { Type: 'keyboard', DefaultHeight: false, Buttons },
});
const text = (words: string) => ({ type: 'text', text: words });

const forms: [what: string, content: Partial<RenderedContent>, members: object][] = [
  ['a body is a text', {}, text(body)],
  ['a title is its first line', { title }, text(`${title}\n${body}`)],
  ['a title of blanks is none', { title: ' ', body: ' x ' }, text('x')],
  ['a title alone', { title, body: '' }, text(title)],
  [
    'a picture has the words beneath it',
    { title, image },
    { type: 'picture', text: `${title}\n${body}`, media: image },
  ],
  ['a picture alone', { body: '', image }, { type: 'picture', text: '', media: image }],
  [
    'a picture is recognized by its name, not by its query',
    { image: `${image}?w=400` },
    { type: 'picture', text: body, media: `${image}?w=400` },
  ],
  [
    'a picture of a kind that Viber does not take is a link',
    { image: 'https://cdn.example.com/a.webp?as=.png' },
    text(`${body}\nhttps://cdn.example.com/a.webp?as=.png`),
  ],
  [
    'so is one without https',
    { image: 'http://cdn.example.com/a.png' },
    text(`${body}\nhttp://cdn.example.com/a.png`),
  ],
  [
    'and one with more to say than fits beneath it',
    { body: 'x'.repeat(769), image },
    text(`${'x'.repeat(769)}\n${image}`),
  ],
  [
    'buttons in order, then the link of the message',
    {
      buttons: [
        { label: 'Track <1> & go', url: `${shop}t` },
        { label: 'Chat', url: 'viber://pa' },
      ],
      deepLink: shop,
    },
    {
      ...text(body),
      ...keyboard(
        key('open-url', `${shop}t`, 'Track &lt;1&gt; &amp; go'),
        key('open-url', 'viber://pa', 'Chat'),
        key('open-url', shop, 'Open'),
      ),
    },
  ],
  [
    'a link that a button leads to is not shown twice',
    { buttons: [{ label: 'View', url: shop }], deepLink: shop },
    { ...text(body), ...keyboard(key('open-url', shop, 'View')) },
  ],
  [
    'a button without a link tells which was pressed',
    { buttons: [{ id: 'yes', label: 'Yes' }, { label: 'No' }] },
    {
      ...text(body),
      ...keyboard(
        key('reply', `${ids.slice(0, -1)},"button":"yes"}`, 'Yes'),
        key('reply', `${ids.slice(0, -1)},"button":"button-2"}`, 'No'),
      ),
    },
  ],
  [
    "an app's own link opens nothing and is left out",
    {
      deepLink: 'shop://o/1',
      buttons: [
        { label: 'App', url: 'shop://o' },
        { label: 'Mail', url: 'mailto:a@example.com' },
      ],
    },
    text(body),
  ],
  [
    'custom data goes along with our ids',
    { data: { order: '7' } },
    { ...text(body), tracking_data: `${ids.slice(0, -1)},"data":{"order":"7"}}` },
  ],
  [
    'options that Viber has no place for are ignored',
    {
      payload: { whatsapp: {} },
      options: {
        badgeCount: 3,
        sound: 'none',
        ttlSeconds: 60,
        collapseKey: 'ck',
        androidChannelId: 'orders',
        priority: 'high',
      },
    },
    text(body),
  ],
];

async function scripted(t: Test, mode: 'live' | 'sandbox' = 'sandbox') {
  const inMode = (url: string) => config(url, mode);
  const { provider: viber, ...rest } = await withProvider(t, createViber, inMode, accept);
  return { viber, ...rest };
}

t.test('what the content holds decides the form, and the stand-in takes it', async (t) => {
  const { adapter, viber } = await scripted(t);
  const { call } = await withSandbox(t);
  for (const [what, content, members] of forms) {
    viber.calls.length = 0;
    const attempt = aViber(content);
    t.same(
      await adapter.send(attempt, bot),
      { outcome: 'accepted', providerMessageId: token },
      what,
    );
    const [made] = viber.calls;
    const common = { receiver: person, min_api_version: 1, tracking_data: ids };
    const wire = { ...common, sender: { name: 'Shop' }, ...members };
    t.strictSame(JSON.parse(String(made?.body)), wire, what);
    t.equal(made?.path, '/pa/send_message');
    t.match(made?.headers, {
      'content-type': 'application/json',
      'x-viber-auth-token': bot.authToken,
    });
    const { sender: _, ...shown } = wire;
    t.strictSame(payloadOf(attempt, acceptedMs), { payload: shown }, 'and a preview shows it');
    const headers = { 'x-viber-auth-token': bot.authToken };
    const taken = await call('POST', '/viber/pa/send_message', wire, headers);
    t.match(taken.json, { status: 0 }, taken.text);
  }
});

t.test('a token is kept to its last digit, as a number and as text', async (t) => {
  const { adapter, viber } = await scripted(t);
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.constantFrom('"', ''),
      fc.string(),
      async (number, quote, words) => {
        const said = JSON.stringify(`${words} "message_token":1`);
        const body = `{"status_message":${said},"message_token": ${quote}${number}${quote},"status":0}`;
        viber.meet({ status: 200, body });
        t.same(await adapter.send(aViber(), bot), {
          outcome: 'accepted',
          providerMessageId: String(number),
        });
      },
    ),
    { numRuns: tries(100) },
  );
  viber.meet({ status: 200, body: '{"status":0}' });
  t.same(await adapter.send(aViber(), bot), { outcome: 'accepted' }, 'a yes without one is a yes');
});

t.test('without credentials it is the sandbox that sends', async (t) => {
  const { adapter, viber } = await scripted(t);
  t.match(await adapter.send(aViber(), undefined), { outcome: 'accepted' });
  t.equal(viber.calls[0]?.headers['x-viber-auth-token'], 'sandbox');
  t.same(JSON.parse(String(viber.calls[0]?.body)).sender, { name: 'Sandbox' });
});

t.test('bounds hold at the last character and not beyond', (t) => {
  const x = (length: number) => 'x'.repeat(length);
  const typeOf = (content: Partial<RenderedContent>) => {
    const made = viberMessage(aViber(content), person, 'Shop');
    return 'body' in made ? JSON.parse(made.body).type : `${made.reason}: ${made.detail}`;
  };
  const dataOf = (n: number) => ({ data: { a: x(n - ids.length - '"data":{"a":""},'.length) } });
  const bounds: [
    max: number,
    contentOf: (n: number) => Partial<RenderedContent>,
    within: string,
    beyond: RegExp,
  ][] = [
    [7_000, (n) => ({ body: x(n) }), 'text', /^text_too_long: the text has 7001 .* 7000 are/],
    [7_000, (n) => ({ title: 'T', body: x(n - 2) }), 'text', /^text_too_long/],
    [7_000, (n) => ({ body: `${'😀'.repeat(n / 2)}${x(n % 2)}` }), 'text', /^text_too_long/],
    [768, (n) => ({ body: x(n), image }), 'picture', /^text$/],
    [4_000, dataOf, 'text', /^payload_too_large: the custom data has 4001 .* 4000 are/],
    [
      250,
      (n) => ({ buttons: [{ label: x(n), url: shop }] }),
      'text',
      /^text_too_long: a button has 251/,
    ],
  ];
  for (const [max, contentOf, within, beyond] of bounds) {
    t.equal(typeOf(contentOf(max - 1)), within);
    t.equal(typeOf(contentOf(max)), within);
    t.match(typeOf(contentOf(max + 1)), beyond);
  }
  const bytes = (n: number) =>
    typeOf({ body: 'ก'.repeat(6_900), data: { a: x(n) }, buttons: wide });
  const wide = [1, 2, 3].map((id) => ({ label: 'B', url: `${shop}${id}${x(2_000)}` }));
  const made = viberMessage(
    aViber({ body: 'ก'.repeat(6_900), data: { a: '' }, buttons: wide }),
    person,
    'Shop',
  );
  const spare = 30_000 - Buffer.byteLength('body' in made ? made.body : '');
  t.equal(bytes(spare - 1), 'text');
  t.equal(bytes(spare), 'text');
  t.match(bytes(spare + 1), /^payload_too_large: 30001 bytes, 30000 are allowed/);
  t.match(typeOf({ body: ' ' }), /^text_empty/);
  t.end();
});

t.test('whatever a message holds, the stand-in takes it, or nothing is sent', async (t) => {
  const { call } = await withSandbox(t);
  const words = (max: number) =>
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
      fc.integer({ min: 1, max }).map((length) => 'ก'.repeat(length)),
    );
  const link = fc.constantFrom(shop, 'shop://new', 'tel:+6621234567', 'VIBER://pa?x=1');
  const content: fc.Arbitrary<Partial<RenderedContent>> = fc.record(
    {
      title: words(45),
      body: fc.oneof(words(70), words(800), words(7_100)),
      image: fc.constantFrom(image, 'http://a.example/a.png', 'https://a.example/a'),
      deepLink: link,
      data: fc.dictionary(fc.string(), words(2_000), { maxKeys: 3 }),
      buttons: fc.array(fc.record({ label: words(80), url: link }, { requiredKeys: ['label'] }), {
        maxLength: 5,
      }),
    },
    { requiredKeys: ['body'] },
  );
  const headers = { 'x-viber-auth-token': 'sandbox' };
  await fc.assert(
    fc.asyncProperty(content, async (content) => {
      const made = viberMessage(aViber(content), person, 'Shop');
      if ('outcome' in made) return t.equal(made.outcome, 'permanent');
      const wire = JSON.parse(made.body);
      const taken = await call('POST', '/viber/pa/send_message', wire, headers);
      return t.equal(taken.json.status, 0, taken.text);
    }),
    { numRuns: tries(200) },
  );
});

t.test('who is refused again after others got through holds up nobody', async (t) => {
  const { adapter, viber, clock } = await scripted(t);
  const send = (endpoint: string) => adapter.send(aViber({}, { endpoint }), bot);
  const rate = { outcome: 'rate', reason: 'too_many_requests' };
  const ofPerson = { outcome: 'retry', reason: 'recipient_quota', retryAfterMs: 900_000 };
  const isFull = new Set(['ann']);
  viber.meet(({ body }, response) => {
    const { receiver } = JSON.parse(body.toString());
    const answer = isFull.has(receiver) ? refused(12) : accept;
    if (typeof answer === 'object' && 'body' in answer) response.end(answer.body);
  });
  t.match(await send('ann'), rate, 'it may be the account');
  t.match(await send('ann'), rate, 'and still may');
  t.match(await send('ben'), { outcome: 'accepted' });
  t.match(await send('ann'), ofPerson, 'ben got through');
  t.match(await send('ann'), ofPerson);
  isFull.add('ben');
  t.match(await send('ben'), rate, 'another person begins anew');
  isFull.delete('ann');
  t.match(await send('ann'), { outcome: 'accepted' });
  isFull.add('ann');
  t.match(await send('ann'), rate, 'so does who got through');
  clock.nowMs += 3_600_000;
  isFull.delete('ben');
  t.match(await send('ben'), { outcome: 'accepted' });
  t.match(await send('ann'), rate, 'an hour later it says nothing any more');
  viber.meet({ status: 429 });
  for (let i = 0; i < 3; i++) t.match(await send('ann'), { outcome: 'rate', reason: 'throttled' });
});

t.test('the stand-in plays what its names say, and shows what arrived', async (t) => {
  const { url, messages } = await withSandbox(t);
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs: 2_000 });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(acceptedMs);
  const adapter = createViber({ config: config(`${url}/viber`, 'sandbox'), outbound, clock });
  const send = (endpoint: string) =>
    adapter.send(
      aViber({ title, image, buttons: [{ label: 'A & B', url: shop }] }, { endpoint }),
      undefined,
    );
  const names: [endpoint: string, outcome: object][] = [
    ['unregistered1', { outcome: 'permanent', reason: 'not_registered' }],
    [person, { outcome: 'accepted', providerMessageId: '5741311803571721088' }],
    ['unregistered1', { outcome: 'dead', reason: 'not_registered' }],
    ['unsubscribed=', { outcome: 'opted_out', reason: 'not_subscribed' }],
    ['nodevice', { outcome: 'dead', reason: 'no_suitable_device' }],
    ['quota', { outcome: 'rate', reason: 'too_many_requests' }],
    ['oldapp', { outcome: 'permanent', reason: 'api_version_unsupported' }],
    ['abroad', { outcome: 'permanent', reason: 'unsupported_country' }],
    ['badtoken', { outcome: 'config', reason: 'auth_token_refused' }],
    ['baddata', { outcome: 'permanent', reason: 'invalid_request' }],
    ['blockedbot', { outcome: 'config', reason: 'account_blocked' }],
    ['suspended', { outcome: 'config', reason: 'account_suspended' }],
    ['nowebhook', { outcome: 'config', reason: 'webhook_not_set' }],
    ['unauthorized', { outcome: 'config', reason: 'not_authorized' }],
    ['nobalance', { outcome: 'config', reason: 'balance_used_up' }],
    ['general', { outcome: 'retry', reason: 'status_999' }],
    ['busy', { outcome: 'retry', reason: 'unavailable' }],
    ['cut', { outcome: 'ambiguous', reason: 'connection_lost' }],
    ['drop', { outcome: 'ambiguous', reason: 'connection_lost' }],
    ['slow40', { outcome: 'accepted', providerMessageId: /^5741311803571721\d{3}$/ }],
  ];
  for (const [endpoint, outcome] of names) t.match(await send(endpoint), outcome, endpoint);
  t.match((await messages(`?to=${encodeURIComponent(person)}`))[0], {
    channel: 'viber',
    look: 'chat',
    to: person,
    sender: 'Sandbox',
    text: `${title}\n${body}`,
    image,
    buttons: [{ label: 'A & B', url: shop }],
    sendId,
    deviceId,
    outcome: 'accepted',
  });
  t.match((await messages('?to=unsubscribed'))[0], { outcome: 'refused', fault: 'unsubscribed*' });
});
