// The WhatsApp adapter: the conformance suite, the mapping as exact bodies, every code of Meta's
// table, and the sandbox's stand-in at the other end.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { createWhatsApp, graphVersion } from '../../../../actors/channels/whatsapp/adapter.ts';
import { whatsappMessage } from '../../../../actors/channels/whatsapp/message.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { adapterAt, configOf, openHttp, previewIsWhatIsSent, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior } from '../stand-ins.ts';

const number = '+14155550123';
const accessToken = 'EAAG-secret-access-token';
const account = { phoneNumberId: '106540352242922', accessToken, verifyToken: 'v' };
const wamid = 'wamid.HBgLMTQxNTU1NTAxMjMVAgARGBI';
const accept: HttpBehavior = {
  status: 200,
  body: JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: wamid }] }),
};

const attemptWith = (content: Partial<RenderedContent> = {}) =>
  anAttempt({ channel: 'whatsapp', endpoint: number, content });

function metaError(code: number, status = 400, more: object = {}, headers = {}): HttpBehavior {
  const error = { message: `(#${code}) No`, type: 'OAuthException', code, ...more };
  return { status, headers, body: JSON.stringify({ error }) };
}

const config = configOf('WHATSAPP');

/** The table of providers.md: the code, its class, and its reason. */
// biome-ignore format: a table reads better packed
const codes: readonly (readonly [code: number, outcome: ChannelSubject['outcomes'][string]['outcome'], reason: string])[] = [
  [131026, 'dead', 'undeliverable'],
  [131021, 'permanent', 'recipient_is_sender'], [131030, 'permanent', 'recipient_not_allowed'],
  [131009, 'permanent', 'invalid_parameter'], [100, 'permanent', 'invalid_parameter'],
  [131008, 'permanent', 'missing_parameter'], [131051, 'permanent', 'unsupported_message_type'],
  [131047, 'permanent', 'window'], [131049, 'permanent', 'ecosystem_limit'], [130472, 'permanent', 'experiment'],
  [131050, 'permanent', 'marketing_stopped'],
  [131045, 'config', 'number_not_registered'], [131031, 'config', 'account_locked'], [131042, 'config', 'payment_problem'],
  [368, 'config', 'account_blocked'], [131037, 'config', 'display_name_not_approved'],
  [133010, 'config', 'number_not_registered'], [130497, 'config', 'country_restricted'],
  [130403, 'config', 'permission_denied'], [131005, 'config', 'permission_denied'], [10, 'config', 'permission_denied'],
  [3, 'config', 'permission_denied'], [200, 'config', 'permission_denied'], [299, 'config', 'permission_denied'],
  [0, 'config', 'access_token_refused'], [104, 'config', 'access_token_refused'], [190, 'config', 'access_token_refused'],
  [2500, 'config', 'wrong_address'],
  [132000, 'permanent', 'template_parameter_count'], [132001, 'permanent', 'template_missing'],
  [132005, 'permanent', 'template_text_too_long'], [132007, 'permanent', 'template_policy'],
  [132012, 'permanent', 'template_parameter_format'], [132018, 'permanent', 'template_parameter_format'],
  [132015, 'permanent', 'template_paused'], [132016, 'permanent', 'template_disabled'],
  [132068, 'permanent', 'flow_blocked'], [132069, 'permanent', 'flow_throttled'],
  [4, 'rate', 'app_limit'], [80007, 'rate', 'account_limit'], [130429, 'rate', 'throughput'], [131048, 'rate', 'spam_limit'],
  [131056, 'retry', 'pair_limit'],
  [131057, 'retry', 'upgrading'], [133004, 'retry', 'unavailable'], [131016, 'retry', 'unavailable'],
  [131000, 'retry', 'unknown'], [1, 'retry', 'unknown'], [2, 'retry', 'unavailable'],
  [131052, 'permanent', 'media_unusable'], [131053, 'permanent', 'media_unusable'],
  [199, 'permanent', 'http_400'], [300, 'permanent', 'http_400'],
];

/** Responses without a known code: the status decides. */
const statuses: readonly (readonly [
  status: number,
  outcome: (typeof codes)[number][1],
  reason: string,
])[] = [
  [302, 'config', 'http_302'],
  [400, 'permanent', 'http_400'],
  [401, 'config', 'access_token_refused'],
  [403, 'config', 'permission_denied'],
  [404, 'config', 'wrong_address'],
  [408, 'retry', 'http_408'],
  [413, 'permanent', 'payload_too_large'],
  [425, 'retry', 'http_425'],
  [429, 'rate', 'throttled'],
  [500, 'retry', 'http_500'],
  [503, 'retry', 'unavailable'],
];

const usage = JSON.stringify({ '1': [{ type: 'messaging', estimated_time_to_regain_access: 3 }] });
const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  ...Object.fromEntries(codes.map(([code]) => [`code ${code}`, metaError(code)])),
  ...Object.fromEntries(
    statuses.map(([status]) => [`status ${status}`, { status, body: '<html>no</html>' }]),
  ),
  'a number id of somebody else': metaError(100, 400, { error_subcode: 33 }),
  'seconds to wait': metaError(130429, 429, {}, { 'retry-after': '7' }),
  'a date to wait for': metaError(
    131016,
    500,
    {},
    { 'retry-after': new Date(acceptedMs + 90_000).toUTCString() },
  ),
  'a day to wait': metaError(80007, 400, {}, { 'retry-after': '86400' }),
  'minutes until access comes back': metaError(
    80007,
    400,
    {},
    { 'x-business-use-case-usage': usage },
  ),
  'unreadable minutes': metaError(80007, 400, {}, { 'x-business-use-case-usage': '{"1":7}' }),
  'a limit without a delay': metaError(130429),
  'spam without a delay': metaError(131048),
  'an upgrade': metaError(131057),
  'a pair limit at the first try': metaError(131056),
  echo: metaError(100, 400, {
    message: `no good: ${accessToken} ${number} 14155550123`,
    error_data: { details: `for someone@example.com, Bearer ${accessToken}` },
  }),
};

const subject: ChannelSubject = {
  name: 'whatsapp',
  attempt: () => attemptWith(),
  open: openHttp({
    create: createWhatsApp,
    config: (url) => config(url),
    credentials: account,
    accept,
    behaviors,
    lateBody: '{}',
  }),
  outcomes: {
    ...Object.fromEntries(
      codes.map(([code, outcome, reason]) => [`code ${code}`, { outcome, reason }]),
    ),
    ...Object.fromEntries(
      statuses.map(([status, outcome, reason]) => [`status ${status}`, { outcome, reason }]),
    ),
    'a number id of somebody else': { outcome: 'config', reason: 'phone_number_id_unknown' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'minutes until access comes back': 180_000,
    'unreadable minutes': 60_000,
    'a limit without a delay': 0,
    'spam without a delay': 900_000,
    'an upgrade': 60_000,
    'a pair limit at the first try': 4_000,
  },
  tooLarge: () => attemptWith({ body: 'é'.repeat(4_096) }),
  tooLargeReason: 'text_too_long',
  secrets: [accessToken, number, '14155550123', 'someone@example.com'],
};

await channelConformance(t, subject);

const common = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '14155550123',
  biz_opaque_callback_data: 'ntf_00000000000000000000000001:dev_00000000000000000000000001',
};
const bodyOf = (content: Partial<RenderedContent>) => {
  const made = whatsappMessage(attemptWith(content), number);
  return 'body' in made ? JSON.parse(made.body) : made;
};
const template = (members: object, more: Partial<RenderedContent> = {}) =>
  bodyOf({
    payload: { whatsapp: { templateName: 'order', languageCode: 'en_US', ...members } },
    ...more,
  });
const text = (text: string) => ({ type: 'text', text });

t.test('WhatsApp’s own id of a number is told, unless the number leads to it', async (t) => {
  for (const [endpoint, id, knownAs] of [
    ['+14155550123', '14155550123', undefined],
    ['+525512345678', '5215512345678', undefined],
    ['+14155550123', '14155559999', '+14155559999'],
    ['+14155550123', 'US.13491208655302741918', undefined],
  ] as const) {
    const body = { contacts: [{ input: endpoint, wa_id: id }], messages: [{ id: wamid }] };
    const { adapter } = await rig(t, { status: 200, body: JSON.stringify(body) });
    const outcome = await adapter.send({ ...attemptWith(), endpoint }, account);
    const moved = knownAs === undefined ? {} : { moved: { from: endpoint, knownAs } };
    t.same(outcome, { outcome: 'accepted', providerMessageId: wamid, ...moved }, id);
  }
});

t.test('a message is mapped to exactly this body', async (t) => {
  const link = 'https://cdn.example.com/a.png';
  const everything: Partial<RenderedContent> = {
    title: 'Hi',
    body: 'There',
    image: link,
    deepLink: 'https://shop.example.com/o/1',
    buttons: [{ label: 'Open', url: 'https://shop.example.com' }],
    data: { a: '1' },
  };
  const options = {
    badgeCount: 3,
    sound: 'none',
    ttlSeconds: 60,
    collapseKey: 'k',
    androidChannelId: 'c',
    priority: 'high',
  } as const;
  const named = { name: 'order', language: { policy: 'deterministic', code: 'en_US' } };
  const withComponents = (components: object[]) => ({
    type: 'template',
    template: { ...named, components },
  });
  const rows: readonly (readonly [why: string, made: unknown, wanted: object])[] = [
    ['free text', bodyOf({}), { type: 'text', text: { body: '*Your order*\nIt has shipped.' } }],
    [
      'what only other channels know is left out',
      bodyOf({ options, data: { a: '1' } }),
      { type: 'text', text: { body: '*Your order*\nIt has shipped.' } },
    ],
    [
      'a star cannot be bold',
      bodyOf({ title: '2 * 2' }),
      { type: 'text', text: { body: '2 * 2\nIt has shipped.' } },
    ],
    [
      'links follow the text',
      bodyOf({
        deepLink: 'https://shop.example.com/o/1',
        buttons: [
          { label: 'Track', url: 'https://shop.example.com/t' },
          { label: 'App', url: 'shop://o/1' },
          { label: 'Call', url: 'tel:+14155550123' },
        ],
      }),
      {
        type: 'text',
        text: {
          body: '*Your order*\nIt has shipped.\n\nTrack: https://shop.example.com/t\nhttps://shop.example.com/o/1',
          preview_url: true,
        },
      },
    ],
    [
      'a link that the text has is not repeated',
      bodyOf({ body: 'See https://a.example.com/x', deepLink: 'https://a.example.com/x' }),
      {
        type: 'text',
        text: { body: '*Your order*\nSee https://a.example.com/x', preview_url: true },
      },
    ],
    [
      'a button without a link leads where the message does',
      bodyOf({ deepLink: 'https://a.example.com/x', buttons: [{ label: 'Look' }] }),
      {
        type: 'text',
        text: {
          body: '*Your order*\nIt has shipped.\n\nLook: https://a.example.com/x',
          preview_url: true,
        },
      },
    ],
    [
      'a picture',
      bodyOf({ image: link }),
      { type: 'image', image: { link, caption: '*Your order*\nIt has shipped.' } },
    ],
    [
      'a picture alone',
      bodyOf({ title: '', body: ' ', image: link }),
      { type: 'image', image: { link } },
    ],
    ['a template says all itself', template({}, everything), { type: 'template', template: named }],
    [
      'a language in the other spelling',
      template({ languageCode: 'pt-BR' }),
      {
        type: 'template',
        template: { ...named, language: { policy: 'deterministic', code: 'pt_BR' } },
      },
    ],
    ...(
      [
        ['pt-br', 'pt_BR'],
        ['vi', 'vi'],
        ['zh-hant', 'zh_TW'],
        ['en-gb', 'en_GB'],
        ['fr-ca', 'fr'],
      ] as const
    ).map(([language, code]): [string, object, object] => [
      `without a language, the message’s: ${language}`,
      template({ languageCode: undefined }, { language }),
      { type: 'template', template: { ...named, language: { policy: 'deterministic', code } } },
    ]),
    [
      'texts in header and body, in order',
      template({ headerParams: ['A1'], bodyParams: ['Ann', 'two  days'] }),
      withComponents([
        { type: 'header', parameters: [text('A1')] },
        { type: 'body', parameters: [text('Ann'), text('two  days')] },
      ]),
    ],
    [
      'no line break, tab or run of spaces',
      template({ bodyParams: [' a\r\nb\tc      d '] }),
      withComponents([{ type: 'body', parameters: [text('a b c    d')] }]),
    ],
    [
      'media in the header',
      template({
        headerParams: [{ type: 'video', link: 'https://a.example.com/v.mp4', filename: 'v' }],
      }),
      withComponents([
        {
          type: 'header',
          parameters: [{ type: 'video', video: { link: 'https://a.example.com/v.mp4' } }],
        },
      ]),
    ],
    [
      'a document with its name',
      template({
        headerParams: [
          { type: 'document', link: 'https://a.example.com/d.pdf', filename: 'Bill.pdf' },
        ],
      }),
      withComponents([
        {
          type: 'header',
          parameters: [
            {
              type: 'document',
              document: { link: 'https://a.example.com/d.pdf', filename: 'Bill.pdf' },
            },
          ],
        },
      ]),
    ],
    [
      "an image without a link is the message's",
      template({ headerParams: [{ type: 'image' }] }, { image: link }),
      withComponents([{ type: 'header', parameters: [{ type: 'image', image: { link } }] }]),
    ],
    [
      'buttons',
      template({
        buttonParams: [
          'o/1',
          { type: 'quick_reply', text: 'YES', index: 2 },
          { type: 'copy_code', text: 'SAVE10' },
        ],
      }),
      withComponents([
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('o/1')] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '2',
          parameters: [{ type: 'payload', payload: 'YES' }],
        },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
        },
      ]),
    ],
  ];
  for (const [why, made, wanted] of rows) t.strictSame(made, { ...common, ...wanted }, why);
});

t.test(
  'what WhatsApp would refuse is refused before it is sent, by the name of the member',
  async (t) => {
    const rows: readonly (readonly [made: unknown, reason: string, detail: string | RegExp])[] = [
      [
        template({ bodyParams: ['a', ' \n'] }),
        'template_parameter_empty',
        /payload\.whatsapp\.bodyParams\[1\] is empty/,
      ],
      [template({ headerParams: [''] }), 'template_parameter_empty', /headerParams\[0\]/],
      [
        template({ headerParams: [{ type: 'image' }] }),
        'template_parameter_empty',
        /headerParams\[0\]/,
      ],
      [
        template({ headerParams: [{ type: 'image', link: '{{ x' }] }),
        'template_parameter_empty',
        /headerParams\[0\]/,
      ],
      [template({ buttonParams: ['', ''] }), 'template_parameter_empty', /buttonParams\[0\]/],
      [
        template({ languageCode: '' }),
        'template_invalid',
        /payload\.whatsapp\.languageCode: expected a language code/,
      ],
      [template({ bodyParams: [1] }), 'template_invalid', /bodyParams\[0\]: expected a string/],
      [
        bodyOf({ payload: { whatsapp: 'x' } }),
        'template_invalid',
        /payload\.whatsapp: expected an object/,
      ],
      [bodyOf({ title: ' ', body: '\n' }), 'text_empty', /nothing/],
    ];
    for (const [made, reason, detail] of rows)
      t.match(made, { outcome: 'permanent', reason, detail }, `${reason} ${detail}`);
  },
);

t.test('limits count characters, and hold at the bound and not above it', async (t) => {
  const image = 'https://a.example.com/i.png';
  const rows: readonly (readonly [what: string, max: number, make: (text: string) => unknown])[] = [
    ['a text', 4_096, (body) => bodyOf({ title: '', body })],
    ['words beneath a picture', 1_024, (body) => bodyOf({ title: '', body, image })],
    ["a template's header", 60, (one) => template({ headerParams: [one] })],
    [
      "a template's body",
      1_024,
      (one) => template({ bodyParams: [one.slice(0, 500), one.slice(500)] }),
    ],
  ];
  for (const [what, max, make] of rows) {
    t.match(make('é'.repeat(max - 1)), { to: '14155550123' }, `${what} below`);
    t.match(make('é'.repeat(max)), { to: '14155550123' }, `${what} at`);
    const tooLong = new RegExp(`^${max + 1} characters.*, ${max} are allowed$`);
    t.match(
      make('é'.repeat(max + 1)),
      { reason: 'text_too_long', detail: tooLong },
      `${what} above`,
    );
  }
  t.match(
    bodyOf({ title: '', body: '😀'.repeat(4_096) }),
    { type: 'text' },
    'a face is one character',
  );
});

t.test('who stopped marketing is opted out of marketing, and of nothing else', async (t) => {
  const { adapter, meta } = await rig(t, metaError(131050));
  const send = (lane: 'express' | 'bulk') => adapter.send({ ...attemptWith(), lane }, account);
  t.match(await send('bulk'), { outcome: 'opted_out', reason: 'marketing_stopped' });
  t.match(await send('express'), { outcome: 'permanent', reason: 'marketing_stopped' });
  meta.meet(metaError(131056));
  const delays = await Promise.all(
    [1, 2, 3, 4, 5, 9].map(async (attempt) => adapter.send({ ...attemptWith(), attempt }, account)),
  );
  t.same(
    delays.map((one) => 'retryAfterMs' in one && one.retryAfterMs),
    [4_000, 16_000, 64_000, 256_000, 900_000, 900_000],
    'to one person the pause grows fourfold, to fifteen minutes',
  );
});

t.test(
  'calls go to the version of this release, of the operator’s setting, or of their address',
  async (t) => {
    const { outbound, meta } = await rig(t, accept);
    const clock = fixedClock(acceptedMs);
    const send = (url: string, mode: 'live' | 'sandbox', credentials?: unknown) =>
      createWhatsApp({ config: config(url, mode), outbound, clock }).send(
        attemptWith(),
        credentials,
      );
    t.same(await send(meta.url, 'live', account), {
      outcome: 'accepted',
      providerMessageId: wamid,
    });
    t.match(await send(`${meta.url}/v21.0`, 'live', account), { outcome: 'accepted' });
    t.match(await send(meta.url, 'sandbox'), { outcome: 'accepted' });
    const named = { ...config(meta.url, 'live'), whatsappVersion: 'v99.0' };
    const adapter = createWhatsApp({ config: named, outbound, clock });
    t.match(await adapter.send(attemptWith(), account), { outcome: 'accepted' });
    t.same(
      meta.calls.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [
        ['POST', `/${graphVersion}/106540352242922/messages`, `Bearer ${accessToken}`],
        ['POST', '/v21.0/106540352242922/messages', `Bearer ${accessToken}`],
        ['POST', `/${graphVersion}/sandbox/messages`, 'Bearer sandbox'],
        ['POST', '/v99.0/106540352242922/messages', `Bearer ${accessToken}`],
      ],
    );
  },
);

t.test('what a preview shows is what is sent, or why nothing is', async (t) => {
  const { adapter, meta } = await rig(t, accept);
  const words = fc.string({ maxLength: 30, unit: 'grapheme' });
  const content: fc.Arbitrary<RenderedContent> = fc.record(
    {
      title: words,
      body: fc.oneof(words, fc.constant('x'.repeat(4_100))),
      image: fc.constant('https://cdn.example.com/a.png'),
      deepLink: fc.constantFrom('shop://new', 'https://shop.example.com/'),
      buttons: fc.constant([{ label: 'Go', url: 'https://shop.example.com/1' }]),
      payload: fc.record({
        whatsapp: fc.record({
          templateName: fc.constant('a'),
          languageCode: fc.constantFrom('en', '?'),
          bodyParams: fc.array(words, { maxLength: 3 }),
        }),
      }),
      options: fc.record({ ttlSeconds: fc.nat(100) }, { requiredKeys: [] }),
    },
    { requiredKeys: ['body', 'options'] },
  );
  const attempts = fc
    .tuple(content, fc.nat(200_000))
    .map(([content, ageMs]) => ({ ...attemptWith(), content, acceptedMs: acceptedMs - ageMs }));
  const send = (attempt: Attempt) => adapter.send(attempt, account);
  await previewIsWhatIsSent(t, { provider: meta, attempts, send });
});

t.test('the numbers of the sandbox get the outcome that they stand for', async (t) => {
  const { url, messages } = await withSandbox(t);
  const { adapter } = adapterAt(t, createWhatsApp, config(`${url}/whatsapp`, 'sandbox'));
  const rows: readonly (readonly [digits: string, outcome: string, reason?: string])[] = [
    ['0001', 'permanent', 'invalid_parameter'],
    ['0002', 'permanent', 'recipient_not_allowed'],
    ['0003', 'config', 'country_restricted'],
    ['0004', 'opted_out', 'marketing_stopped'],
    ['0005', 'rate', 'throughput'],
    ['0006', 'retry', 'unavailable'],
    ['0007', 'dead', 'undeliverable'],
    ['0008', 'ambiguous', 'connection_lost'],
    ['0009', 'dead', 'undeliverable'],
    ['0010', 'config', 'access_token_refused'],
    ['0011', 'permanent', 'window'],
    ['0012', 'retry', 'pair_limit'],
    ['0013', 'permanent', 'ecosystem_limit'],
    ['0014', 'config', 'payment_problem'],
    ['0015', 'accepted'],
    ['0100', 'accepted'],
  ];
  for (const [digits, outcome, reason] of rows) {
    const attempt = { ...attemptWith(), endpoint: `+1500555${digits}`, lane: 'bulk' } as const;
    const came = await adapter.send(attempt, undefined);
    t.match(came, { outcome, ...(reason !== undefined && { reason }) }, digits);
  }
  t.match((await messages())[0], {
    channel: 'whatsapp',
    look: 'chat',
    to: '+15005550100',
    title: 'Your order',
    text: 'It has shipped.',
    sendId: 'ntf_00000000000000000000000001',
    deviceId: 'dev_00000000000000000000000001',
    outcome: 'accepted',
  });
});

async function rig(t: Test, first: HttpBehavior) {
  const { provider: meta, ...rest } = await withProvider(t, createWhatsApp, config, first);
  return { meta, ...rest };
}
