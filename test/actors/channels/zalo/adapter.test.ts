// The Zalo adapter: the conformance suite, the mapping of content, every error of Zalo's table, and
// the limits of its stand-in.

import t from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createZalo } from '../../../../actors/channels/zalo/adapter.ts';
import { nightLeftMs, zaloOutcome } from '../../../../actors/channels/zalo/answers.ts';
import { marketingNightUntil } from '../../../../actors/sending/gate/marketing-night.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { openHttp, providerConfig } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior, httpStandIn } from '../stand-ins.ts';

const user = '4337842264521611405';
const credential = {
  appId: '123456789012',
  appSecret: 'the-secret-of-the-app',
  refreshToken: 'first-refresh-token',
};
const accessToken = 'an-access-token-that-is-secret';
const messageId = '9031734285712349501';
const accept = {
  status: 200,
  body: `{"error":0,"message":"Success","data":{"message_id":${messageId},"user_id":"${user}"}}`,
};
const grant = {
  status: 200,
  body: JSON.stringify({
    access_token: accessToken,
    refresh_token: 'second-refresh-token',
    expires_in: '90000',
  }),
};
const says = (error: number, message = 'no'): HttpBehavior => ({
  status: 200,
  body: JSON.stringify({ error, message }),
});

/** The table of providers.md: the product's reaction to each number. */
const table: Readonly<Record<number, readonly [outcome: string, reason: string, waitMs?: number]>> =
  {
    [-213]: ['opted_out', 'not_a_follower'],
    [-227]: ['dead', 'user_inactive'],
    [-230]: ['permanent', 'window'],
    [-232]: ['permanent', 'window'],
    [-244]: ['opted_out', 'restricted_by_user'],
    [-217]: ['opted_out', 'invitations_blocked'],
    [-218]: ['retry', 'recipient_quota', 5 * hourMs],
    [-211]: ['rate', 'account_quota', 15 * minuteMs],
    [-32]: ['rate', 'api_rate', minuteMs],
    [-234]: ['retry', 'night_time', 15 * minuteMs],
    [-216]: ['config', 'access_token_invalid'],
    [-220]: ['config', 'access_token_expired'],
    [-201]: ['permanent', 'invalid_parameter'],
    [-210]: ['permanent', 'parameter_too_long'],
    [-233]: ['permanent', 'message_type_unsupported'],
    [-240]: ['permanent', 'api_version_closed'],
    [-248]: ['permanent', 'content_refused'],
    [-100]: ['permanent', 'unknown_error'],
    [-204]: ['config', 'account_deleted'],
    [-205]: ['config', 'account_not_found'],
    [-209]: ['config', 'app_not_active'],
    [-212]: ['config', 'api_not_registered'],
    [-219]: ['config', 'app_removed'],
    [-221]: ['config', 'account_not_verified'],
    [-223]: ['config', 'app_not_granted'],
    [-224]: ['config', 'package_missing'],
    [-235]: ['config', 'account_type_unsupported'],
    [-242]: ['config', 'app_id_invalid'],
    [-320]: ['config', 'billing_not_linked'],
    [-321]: ['config', 'out_of_balance'],
    [-200]: ['retry', 'send_failed'],
    [-214]: ['retry', 'busy'],
    [-108]: ['dead', 'invalid_phone'],
    [-118]: ['dead', 'no_zalo_account'],
    [-119]: ['dead', 'cannot_receive'],
    [-114]: ['dead', 'inactive_or_rejected'],
    [-139]: ['opted_out', 'opted_out'],
    [-115]: ['config', 'out_of_balance'],
    [-124]: ['config', 'access_token_invalid'],
    [-131]: ['permanent', 'template_refused'],
    [-132]: ['permanent', 'template_parameters'],
  };

const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  ...Object.fromEntries(Object.keys(table).map((error) => [`error ${error}`, says(Number(error))])),
  'an error of no table': says(-999),
  'a page instead of an answer': { status: 200, body: '<html>hello</html>' },
  'a refused call': { status: 401, body: '' },
  'a path that is not there': { status: 404, body: '' },
  'a wrong method': { status: 405, body: '' },
  'a body that is too large': { status: 413, body: '' },
  'a bad gateway': { status: 502, body: 'oops' },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'a throttled call': { status: 429, body: '' },
  'seconds to wait': { status: 503, headers: { 'retry-after': '7' } },
  echo: says(-201, `no good: ${user} ${accessToken} someone@example.com +14155550123`),
};

function config(
  zalo: string,
  token: string | undefined,
  mode: 'live' | 'sandbox' = 'live',
): ProviderConfig {
  return providerConfig({ ZALO: zalo, ...(token !== undefined && { ZALO_TOKEN: token }) }, mode);
}

const subject: ChannelSubject = {
  name: 'zalo',
  attempt: () => anAttempt({ channel: 'zalo', endpoint: user }),
  open: openHttp({
    create: createZalo,
    config: (url, token) => config(url, token),
    credentials: credential,
    accept,
    behaviors,
    lateBody: accept.body,
    grant,
    rotate: () => Promise.resolve('kept'),
  }),
  outcomes: {
    ...Object.fromEntries(
      Object.entries(table).map(([error, [outcome, reason]]) => [
        `error ${error}`,
        { outcome, reason } as ChannelSubject['outcomes'][string],
      ]),
    ),
    'an error of no table': { outcome: 'permanent', reason: 'error_999' },
    'a page instead of an answer': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a refused call': { outcome: 'config', reason: 'http_401' },
    'a path that is not there': { outcome: 'config', reason: 'http_404' },
    'a wrong method': { outcome: 'permanent', reason: 'http_405' },
    'a body that is too large': { outcome: 'permanent', reason: 'payload_too_large' },
    'a bad gateway': { outcome: 'retry', reason: 'http_502' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
    'a throttled call': { outcome: 'rate', reason: 'api_rate' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a throttled call': minuteMs,
    ...Object.fromEntries(
      Object.entries(table).flatMap(([error, [, , waitMs]]) =>
        waitMs === undefined ? [] : [[`error ${error}`, waitMs]],
      ),
    ),
  },
  tooLarge: () =>
    anAttempt({
      channel: 'zalo',
      endpoint: user,
      content: { title: 'T', body: 'x'.repeat(1_999) },
    }),
  tooLargeReason: 'text_too_long',
  secrets: [user, accessToken, 'someone@example.com', '4155550123'],
};

await channelConformance(t, subject);

t.test('the table of errors is whole', async (t) => {
  const reasonOf = (error: number) => {
    const body = JSON.stringify({ error });
    const answer = { kind: 'answered', status: 200, headers: {}, body, complete: true } as const;
    const outcome = zaloOutcome(answer, acceptedMs, []);
    return 'reason' in outcome ? outcome.reason : '';
  };
  const known = Array.from({ length: 999 }, (_, i) => i + 1).filter(
    (number) => reasonOf(-number) !== `error_${number}`,
  );
  t.same(known.map((number) => String(-number)).sort(), Object.keys(table).sort());
});

const recipient = { user_id: user };
const open = (title: string, url: string) => ({ title, type: 'oa.open.url', payload: { url } });
const picture = 'https://cdn.example.com/a.png';
const shop = 'https://shop.example.com/';
const five = Array.from({ length: 5 }, (_, i) => ({ label: `B${i}`, url: `${shop}${i}` }));
const openFive = five.map(({ label, url }) => open(label, url));
const template = (payload: object) => ({ type: 'template', payload });
const media = { template_type: 'media', elements: [{ media_type: 'image', url: picture }] };
const text = (content: string) => ({ type: 'text', content, align: 'left' });
const header = (content: string) => ({ type: 'header', content, align: 'left' });
const promotion = (elements: object[], more = {}) => ({
  attachment: template({ template_type: 'promotion', language: 'VI', elements, ...more }),
});

const mapped: [
  what: string,
  lane: Attempt['lane'],
  content: Partial<RenderedContent>,
  message: object,
][] = [
  ['title and text', 'express', {}, { text: 'Your order\nIt has shipped.' }],
  [
    'a picture',
    'express',
    { image: picture },
    { text: 'Your order\nIt has shipped.', attachment: template(media) },
  ],
  [
    'links below the text: buttons of a consultation are not documented',
    'express',
    {
      image: picture,
      buttons: [
        { id: 'a', label: 'A', url: shop },
        { id: 'b', label: 'B' },
      ],
      deepLink: `${shop}o/1`,
    },
    {
      text: `Your order\nIt has shipped.\nA: ${shop}\n${shop}o/1`,
      attachment: template(media),
    },
  ],
  [
    'a transaction message with everything',
    'express',
    {
      image: picture,
      buttons: [
        { label: 'A', url: shop },
        { id: 'b', label: 'B' },
      ],
      deepLink: `${shop}o/1`,
      payload: { zalo: { templateId: 'transaction_order', params: { Order: 'A-1', Total: 42 } } },
    },
    {
      attachment: template({
        template_type: 'transaction_order',
        language: 'VI',
        elements: [
          { type: 'banner', image_url: picture },
          header('Your order'),
          text('It has shipped.'),
          {
            type: 'table',
            content: [
              { key: 'Order', value: 'A-1' },
              { key: 'Total', value: '42' },
            ],
          },
        ],
        buttons: [
          open('A', shop),
          { title: 'B', type: 'oa.query.show', payload: '#b' },
          open('Open', `${shop}o/1`),
        ],
      }),
    },
  ],
  [
    'a journey’s transaction message',
    'bulk',
    { payload: { zalo: { templateId: 'transaction_account' } } },
    {
      attachment: template({
        template_type: 'transaction_account',
        language: 'VI',
        elements: [header('Your order'), text('It has shipped.')],
      }),
    },
  ],
  [
    'links of apps, which Zalo does not open',
    'express',
    { buttons: [{ label: 'A', url: 'shop://a' }], deepLink: 'shop://o/1' },
    { text: 'Your order\nIt has shipped.' },
  ],
  [
    'options and data, which Zalo has no place for',
    'express',
    {
      data: { order: '1' },
      options: {
        badgeCount: 3,
        sound: 'ding',
        ttlSeconds: 60,
        collapseKey: 'c',
        androidChannelId: 'orders',
        priority: 'high',
      },
    },
    { text: 'Your order\nIt has shipped.' },
  ],
  [
    'letters in two parts, which become one',
    'express',
    { title: 'Tie\u0302\u0301ng', body: 'Vie\u0323\u0302t' },
    { text: 'Ti\u1ebfng\nVi\u1ec7t' },
  ],
  ['marketing', 'bulk', {}, promotion([header('Your order'), text('It has shipped.')])],
  [
    'marketing with everything',
    'bulk',
    { image: picture, buttons: five, deepLink: `${shop}o/1` },
    promotion(
      [
        { type: 'banner', image_url: picture },
        header('Your order'),
        text(`It has shipped.\n${shop}o/1`),
      ],
      { buttons: openFive },
    ),
  ],
];

t.test('each member of the content reaches its place, and the preview shows it', async (t) => {
  const sandbox = await withSandbox(t);
  const zalo = await httpStandIn(accept);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await zalo.close();
  });
  const clock = fixedClock(acceptedMs);
  const make = (url: string) =>
    createZalo({ config: config(url, undefined, 'sandbox'), outbound, clock });
  const adapter = make(zalo.url);
  const strict = make(sandbox.providerUrls['ZALO'] ?? '');
  for (const [what, lane, content, message] of mapped) {
    const attempt = anAttempt({ channel: 'zalo', endpoint: user, lane, content });
    zalo.calls.length = 0;
    t.match(
      await adapter.send(attempt, undefined),
      { outcome: 'accepted', providerMessageId: messageId },
      what,
    );
    const [call] = zalo.calls;
    const kind = content.payload ? 'transaction' : lane === 'bulk' ? 'promotion' : 'cs';
    t.equal(call?.path, `/v3.0/oa/message/${kind}`);
    t.equal(call?.headers['access_token'], 'sandbox');
    t.equal(call?.headers['content-type'], 'application/json');
    t.strictSame(JSON.parse(String(call?.body)), { recipient, message }, what);
    t.strictSame(payloadOf(attempt, acceptedMs), { payload: { recipient, message } });
    t.match(await strict.send(attempt, undefined), { outcome: 'accepted' }, `Zalo takes ${what}`);
  }
});

t.test('texts may be as long as Zalo takes them, and are refused above', async (t) => {
  const bounds: [lane: Attempt['lane'], content: (length: number) => object, lengthMax: number][] =
    [
      ['express', (n) => ({ title: 'T', body: 'x'.repeat(n - 2) }), 2_000],
      ['bulk', (n) => ({ title: 'x'.repeat(n) }), 100],
      ['bulk', (n) => ({ body: 'x'.repeat(n) }), 1_000],
    ];
  for (const [lane, content, lengthMax] of bounds) {
    const made = (length: number) =>
      payloadOf(
        anAttempt({ channel: 'zalo', endpoint: user, lane, content: content(length) }),
        acceptedMs,
      );
    for (const length of [lengthMax - 1, lengthMax]) t.hasProp(made(length) ?? {}, 'payload');
    t.match(made(lengthMax + 1), {
      outcome: 'permanent',
      reason: 'text_too_long',
      detail: `${lengthMax + 1} characters, ${lengthMax} are allowed`,
    });
  }
  const decomposed = anAttempt({
    channel: 'zalo',
    endpoint: user,
    content: { title: 'T', body: 'e\u0302\u0301'.repeat(1_998) },
  });
  t.hasProp(payloadOf(decomposed, acceptedMs) ?? {}, 'payload', 'a letter counts once');
});

t.test('no promotion leaves at night in Vietnam, a transactional message does', async (t) => {
  const zalo = await httpStandIn(accept);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await zalo.close();
  });
  const clock = fixedClock(acceptedMs);
  const adapter = createZalo({ config: config(zalo.url, undefined, 'sandbox'), outbound, clock });
  const send = (lane: Attempt['lane']) =>
    adapter.send(anAttempt({ channel: 'zalo', endpoint: user, lane }), undefined);
  clock.nowMs = Date.UTC(2026, 10, 21, 15, 30); // 22:30 there
  t.match(await send('bulk'), {
    outcome: 'retry',
    reason: 'night_time',
    retryAfterMs: 7.5 * hourMs,
  });
  t.equal(zalo.calls.length, 0);
  t.match(await send('express'), { outcome: 'accepted' });
  zalo.meet(says(-234));
  t.match(await send('express'), { reason: 'night_time', retryAfterMs: 7.5 * hourMs });
  zalo.meet(accept);
  clock.nowMs = Date.UTC(2026, 10, 21, 23); // 06:00 there
  t.match(await send('bulk'), { outcome: 'accepted' });
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const atMs = Date.UTC(2026, 10, 21, hour);
    return nightLeftMs(atMs) / hourMs;
  });
  t.same(hours, [...Array(15).fill(0), 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  for (let atMs = acceptedMs; atMs < acceptedMs + 2 * dayMs; atMs += 7 * minuteMs)
    t.equal(
      nightLeftMs(atMs),
      (marketingNightUntil('zalo', atMs) ?? atMs) - atMs,
      'policy and adapter have the same night',
    );
  t.equal(nightLeftMs(Date.UTC(2026, 10, 21, 15) - 1), 0, 'it begins at 22:00');
  t.equal(nightLeftMs(Date.UTC(2026, 10, 21, 23) - 1), 1, 'and ends at 06:00');
});
