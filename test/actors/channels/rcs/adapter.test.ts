// The RCS adapter: the conformance suite, every answer of Google, the mapping against exact bodies,
// bounds, and the real stand-in of the sandbox over loopback.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Outbound } from '../../../../actors/channels/outbound/outbound-call.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { attemptUuid } from '../../../../actors/channels/port/attempt-uuid.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createRcs } from '../../../../actors/channels/rcs/adapter.ts';
import { rcsMessage } from '../../../../actors/channels/rcs/message.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { openHttp, previewIsWhatIsSent, providerConfig, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior, httpStandIn } from '../stand-ins.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const agent = {
  serviceAccount: {
    project_id: 'shop-1234',
    client_email: 'rcs@shop-1234.iam.gserviceaccount.com',
    private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
  agentId: 'shop_agent@rbm.goog',
  region: 'europe',
};
const phone = '+66812345678';
const bearer = 'ya29.secret-access-token';
const grant = { status: 200, body: JSON.stringify({ access_token: bearer, expires_in: 3599 }) };

const anRcs = (over: Parameters<typeof anAttempt>[0] = {}) =>
  anAttempt({ channel: 'rcs', endpoint: phone, ...over });

function googleError(
  code: number,
  status: string,
  more: { message?: string; headers?: Record<string, string>; details?: object[] } = {},
): HttpBehavior {
  const { message = '', headers = {}, details } = more;
  return {
    status: code,
    headers,
    body: JSON.stringify({ error: { code, message, status, details } }),
  };
}

const retryInfo = (retryDelay: string) => ({
  details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }],
});
const accept: HttpBehavior = { status: 200, body: '{"name":"phones/x/agentMessages/y"}' };
const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  'a bad payload': googleError(400, 'INVALID_ARGUMENT'),
  'an access token that stays refused': googleError(401, 'UNAUTHENTICATED'),
  'an agent that may not send': googleError(403, 'PERMISSION_DENIED'),
  'a number that RCS does not reach': googleError(404, 'NOT_FOUND'),
  'a wrong path, in HTML': { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' },
  'a request time-out': googleError(408, 'CANCELLED'),
  'too large a request': googleError(413, 'INVALID_ARGUMENT'),
  'a request too early': { status: 425 },
  'a used-up quota': googleError(429, 'RESOURCE_EXHAUSTED'),
  'an internal error': googleError(500, 'INTERNAL'),
  'a bad gateway': { status: 502, body: 'oops' },
  unavailable: googleError(503, 'UNAVAILABLE'),
  'a deadline': googleError(504, 'DEADLINE_EXCEEDED'),
  'an unknown refusal': { status: 418 },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'seconds to wait': googleError(503, 'UNAVAILABLE', { headers: { 'retry-after': '7' } }),
  'a date to wait for': googleError(503, 'UNAVAILABLE', {
    headers: { 'retry-after': new Date(acceptedMs + 90_000).toUTCString() },
  }),
  'a day to wait': googleError(429, 'RESOURCE_EXHAUSTED', { headers: { 'retry-after': '86400' } }),
  'a RetryInfo': googleError(429, 'RESOURCE_EXHAUSTED', retryInfo('30s')),
  'a RetryInfo with a fraction': googleError(503, 'UNAVAILABLE', retryInfo('2.500s')),
  'a RetryInfo beside a header': googleError(429, 'RESOURCE_EXHAUSTED', {
    ...retryInfo('30s'),
    headers: { 'retry-after': '7' },
  }),
  'an unreadable RetryInfo': googleError(429, 'RESOURCE_EXHAUSTED', retryInfo('soon')),
  'a quota without a delay': googleError(429, 'RESOURCE_EXHAUSTED'),
  echo: googleError(400, 'INVALID_ARGUMENT', {
    message: `no good: ${phone} ${phone.slice(1)} ${bearer} someone@example.com`,
  }),
};

const config = providerConfig;

const tooLarge = anRcs({ content: { body: 'x'.repeat(4_000) } });
const subject: ChannelSubject = {
  name: 'rcs',
  attempt: () => anRcs(),
  open: openHttp({
    create: createRcs,
    config: (url, token) => config({ RCS: url, ...(token && { GOOGLE_TOKEN: token }) }),
    credentials: agent,
    accept,
    behaviors,
    lateBody: '{}',
    grant,
  }),
  outcomes: {
    'a bad payload': { outcome: 'permanent', reason: 'invalid_argument' },
    'an access token that stays refused': { outcome: 'config', reason: 'unauthenticated' },
    'an agent that may not send': { outcome: 'config', reason: 'permission_denied' },
    'a number that RCS does not reach': { outcome: 'permanent', reason: 'rcs_unreachable' },
    'a wrong path, in HTML': { outcome: 'config', reason: 'address_not_found' },
    'a request time-out': { outcome: 'retry', reason: 'http_408' },
    'too large a request': { outcome: 'permanent', reason: 'payload_too_large' },
    'a request too early': { outcome: 'retry', reason: 'http_425' },
    'a used-up quota': { outcome: 'rate', reason: 'quota_exceeded' },
    'an internal error': { outcome: 'retry', reason: 'internal' },
    'a bad gateway': { outcome: 'retry', reason: 'http_502' },
    unavailable: { outcome: 'retry', reason: 'unavailable' },
    'a deadline': { outcome: 'retry', reason: 'deadline_exceeded' },
    'an unknown refusal': { outcome: 'permanent', reason: 'http_418' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a RetryInfo': 30_000,
    'a RetryInfo with a fraction': 2_000,
    'a RetryInfo beside a header': 7_000,
    'an unreadable RetryInfo': 0,
    'a quota without a delay': 0,
  },
  tooLarge: () => tooLarge,
  tooLargeReason: 'text_too_long',
  secrets: [phone, phone.slice(1), bearer, 'someone@example.com'],
};

await channelConformance(t, subject);

const postback = (button: string, data?: object) =>
  JSON.stringify({ sendId: anRcs().sendId, deviceId: anRcs().deviceId, button, data });
const open = (text: string, url: string, button: string, data?: object) => ({
  action: { text, postbackData: postback(button, data), openUrlAction: { url } },
});

const image = 'https://cdn.example.com/a.png';
const shop = 'https://shop.example.com/';
const mappings: [
  what: string,
  over: { lane?: Attempt['lane']; content?: Partial<RenderedContent> },
  body: object,
][] = [
  [
    'title and body are one text, and the transactional lane says so',
    {},
    {
      contentMessage: { text: 'Your order\nIt has shipped.' },
      messageTrafficType: 'TRANSACTION',
    },
  ],
  [
    'marketing is promotion',
    { lane: 'bulk' },
    { contentMessage: { text: 'Your order\nIt has shipped.' }, messageTrafficType: 'PROMOTION' },
  ],
  [
    'a message with everything: a card, its buttons, a link, data in what a press sends back, a life',
    {
      content: {
        image,
        deepLink: `${shop}orders/1`,
        data: { order: '1' },
        buttons: [
          { id: 'view', label: 'View', url: shop },
          { label: 'Call us', url: 'tel:+6621234567' },
          { id: 'yes', label: 'Yes' },
        ],
        options: {
          badgeCount: 3,
          sound: 'ding',
          ttlSeconds: 3600,
          collapseKey: 'ck',
          androidChannelId: 'orders',
          priority: 'high',
        },
      },
    },
    {
      contentMessage: {
        richCard: {
          standaloneCard: {
            cardOrientation: 'VERTICAL',
            cardContent: {
              title: 'Your order',
              description: 'It has shipped.',
              media: { height: 'MEDIUM', contentInfo: { fileUrl: image } },
              suggestions: [
                open('View', shop, 'view', { order: '1' }),
                {
                  action: {
                    text: 'Call us',
                    postbackData: postback('button-2', { order: '1' }),
                    dialAction: { phoneNumber: '+6621234567' },
                  },
                },
                { reply: { text: 'Yes', postbackData: postback('yes', { order: '1' }) } },
                open('Open', `${shop}orders/1`, 'deepLink', { order: '1' }),
              ],
            },
          },
        },
      },
      messageTrafficType: 'TRANSACTION',
      ttl: '3600s',
    },
  ],
  [
    'what does not fit a card becomes chips beneath it',
    {
      content: {
        image,
        deepLink: `${shop}x`,
        buttons: [1, 2, 3, 4, 5].map((n) => ({ label: `B${n}`, url: `${shop}${n}` })),
      },
    },
    {
      contentMessage: {
        richCard: {
          standaloneCard: {
            cardOrientation: 'VERTICAL',
            cardContent: {
              title: 'Your order',
              description: 'It has shipped.',
              media: { height: 'MEDIUM', contentInfo: { fileUrl: image } },
              suggestions: [1, 2, 3, 4].map((n) => open(`B${n}`, `${shop}${n}`, `button-${n}`)),
            },
          },
        },
        suggestions: [open('B5', `${shop}5`, 'button-5'), open('Open', `${shop}x`, 'deepLink')],
      },
      messageTrafficType: 'TRANSACTION',
    },
  ],
  [
    "a link that a button leads to is not told twice, and an app's own link not at all",
    {
      content: {
        deepLink: shop,
        buttons: [
          { id: 'a', label: 'Shop', url: shop },
          { id: 'b', label: 'App', url: 'shop://orders' },
        ],
      },
    },
    {
      contentMessage: {
        text: 'Your order\nIt has shipped.',
        suggestions: [open('Shop', shop, 'a')],
      },
      messageTrafficType: 'TRANSACTION',
    },
  ],
];

t.test('the mapping', async (t) => {
  for (const [what, over, body] of mappings) {
    await t.test(what, async (t) => {
      const { send, rcs } = await scripted(t);
      const attempt = anRcs(over);
      await send(attempt);
      const [call] = rcs.calls;
      t.same(JSON.parse(String(call?.body)), body);
      t.same(payloadOf(attempt, acceptedMs), { payload: body }, 'and a preview shows the same');
      const id = attemptUuid(attempt.sendId, attempt.deviceId);
      t.equal(
        call?.path,
        `/v1/phones/%2B66812345678/agentMessages?messageId=${id}&agentId=sandbox`,
      );
      t.equal(call?.headers.authorization, 'Bearer sandbox');
    });
  }
});

async function scripted(t: Test) {
  const atSandbox = (url: string) => config({ RCS: url }, 'sandbox');
  const { provider: rcs, adapter } = await withProvider(t, createRcs, atSandbox, accept);
  return { rcs, send: (attempt: Attempt) => adapter.send(attempt, undefined) };
}

t.test('a preview is what is sent, or the reason why nothing is', async (t) => {
  const { send, rcs } = await scripted(t);
  const text = (max: number) => fc.string({ maxLength: max, unit: 'grapheme' });
  const content: fc.Arbitrary<RenderedContent> = fc.record(
    {
      title: fc.oneof(text(40), fc.constant('x'.repeat(201))),
      body: fc.oneof(text(40), fc.constantFrom('x'.repeat(2_001), 'x'.repeat(3_073))),
      image: fc.constant(image),
      deepLink: fc.constantFrom('shop://new', shop),
      buttons: fc.array(
        fc.record(
          { label: text(30), url: fc.constantFrom(shop, 'tel:+6621234567', 'mailto:a@b.c') },
          { requiredKeys: ['label'] },
        ),
        { maxLength: 5 },
      ),
      data: fc.constantFrom({ a: 'b' }, { a: 'x'.repeat(2_000) }),
      options: fc.record({ ttlSeconds: fc.nat(100) }, { requiredKeys: [] }),
    },
    { requiredKeys: ['body', 'options'] },
  );
  const attempts = content.map((content) => anRcs({ content }));
  await previewIsWhatIsSent(t, { provider: rcs, attempts, send });
});

t.test('bounds: what is at them goes, what is above says by how much', async (t) => {
  const button = { label: 'x', url: shop };
  const { title: _none, ...bare } = anRcs().content;
  const overhead = postback('button-1', { a: '' }).length;
  const cases: [content: (length: number) => RenderedContent, max: number, reason: string][] = [
    [(n) => ({ ...bare, body: 'x'.repeat(n) }), 3_072, 'text_too_long'],
    [(n) => ({ ...bare, title: '12345', body: 'x'.repeat(n - 6) }), 3_072, 'text_too_long'],
    [(n) => ({ ...bare, image, title: 'x'.repeat(n) }), 200, 'text_too_long'],
    [(n) => ({ ...bare, image, body: 'x'.repeat(n) }), 2_000, 'text_too_long'],
    [(n) => ({ ...bare, buttons: [{ ...button, label: 'x'.repeat(n) }] }), 25, 'text_too_long'],
    [
      (n) => ({ ...bare, buttons: [button], data: { a: 'x'.repeat(n - overhead) } }),
      2_048,
      'payload_too_large',
    ],
    [(n) => ({ ...bare, buttons: new Array(n).fill(button) }), 11, 'too_many_buttons'],
    [(n) => ({ ...bare, image, buttons: new Array(n).fill(button) }), 11 + 4, 'too_many_buttons'],
  ];
  const { call } = await withSandbox(t);
  for (const [contentOf, max, reason] of cases) {
    for (const length of [max - 1, max]) {
      const made = rcsMessage({ ...anRcs(), content: contentOf(length) }, undefined);
      const body = 'body' in made ? made.body : made.detail;
      const path = `/rcs/v1/phones/%2B66812345678/agentMessages?messageId=${uuid(length)}&agentId=a`;
      const reply = await call('POST', path, body, { authorization: 'Bearer sandbox' });
      t.equal(reply.status, 200, `${length} of ${max}: ${reply.text}`);
    }
    const refused = rcsMessage({ ...anRcs(), content: contentOf(max + 1) }, undefined);
    t.match(refused, { outcome: 'permanent', reason });
    t.match('detail' in refused && refused.detail, `${max + 1} `);
    t.match('detail' in refused && refused.detail, `${max} are allowed`);
  }
});

let made = 0;
const uuid = (length: number) =>
  `00000000-0000-4000-8000-${String(++made * 10_000 + length).padStart(12, '0')}`;

t.test('data that no button carries is no reason to refuse', async (t) => {
  const content = { data: { a: 'x'.repeat(4_000) } };
  t.match(rcsMessage(anRcs({ content }), undefined), { body: /shipped/ });
});

t.test('a life is held within ten seconds and fifteen days', async (t) => {
  const lives: [ttl: number | undefined, wire: string | undefined][] = [
    [undefined, undefined],
    [0, '10s'],
    [9, '10s'],
    [10, '10s'],
    [11, '11s'],
    [1_295_999, '1295999s'],
    [1_296_000, '1296000s'],
    [1_296_001, '1296000s'],
  ];
  for (const [ttl, wire] of lives) {
    const made = rcsMessage(anRcs(), ttl);
    t.equal('body' in made && JSON.parse(made.body).ttl, wire, String(ttl));
  }
});

t.test('each region has its host, and an agent its id', async (t) => {
  const urls: string[] = [];
  const outbound: Outbound = {
    allowPrivateNetworks: false,
    call({ url }) {
      urls.push(url);
      const body = url.includes('token') ? grant.body : '{}';
      return Promise.resolve({ kind: 'answered', status: 200, headers: {}, body, complete: true });
    },
    close: () => Promise.resolve(),
  };
  for (const region of ['us', 'europe', 'asia']) {
    const adapter = createRcs({ config: config({}), outbound, clock: fixedClock(acceptedMs) });
    await adapter.send(anRcs(), { ...agent, region });
    const [exchange, call = ''] = urls.splice(0);
    t.equal(exchange, 'https://oauth2.googleapis.com/token', 'never the other exchange');
    t.ok(
      call.startsWith(`https://${region}-rcsbusinessmessaging.googleapis.com/v1/phones/%2B668`),
      call,
    );
    t.ok(call.endsWith('&agentId=shop_agent%40rbm.goog'), call);
  }
});

t.test('access tokens are asked for RCS alone, kept, and renewed once when refused', async (t) => {
  const rcs = await httpStandIn(accept);
  const google = await httpStandIn(grant);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await rcs.close();
    await google.close();
  });
  const urls = { RCS: rcs.url, GOOGLE_TOKEN: `${google.url}/token` };
  const adapter = createRcs({ config: config(urls), outbound, clock: fixedClock(acceptedMs) });
  await Promise.all(Array.from({ length: 20 }, () => adapter.send(anRcs(), agent)));
  t.equal(google.calls.length, 1);
  const assertion = new URLSearchParams(String(google.calls[0]?.body)).get('assertion') ?? '';
  t.equal(decodeJwt(assertion)['scope'], 'https://www.googleapis.com/auth/rcsbusinessmessaging');
  t.equal(rcs.calls[0]?.headers.authorization, `Bearer ${bearer}`);

  rcs.calls.length = 0;
  rcs.meet((_call, response) => {
    response.writeHead(rcs.calls.length === 1 ? 401 : 200).end('{}');
  });
  t.match(await adapter.send(anRcs(), agent), { outcome: 'accepted' });
  t.equal(google.calls.length, 2);

  const calls = rcs.calls.length;
  google.meet({ status: 400, body: '{"error":"invalid_grant"}' });
  const fresh = createRcs({ config: config(urls), outbound, clock: fixedClock(acceptedMs) });
  t.match(await fresh.send(anRcs(), agent), { outcome: 'config', reason: 'google_token_refused' });
  t.equal(rcs.calls.length, calls, 'nothing went to RCS without a token');
});

t.test('against the stand-in', async (t) => {
  const { providerUrls, call, messages } = await withSandbox(t);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const adapter = createRcs({
    config: config(providerUrls, 'sandbox'),
    outbound,
    clock: { now: Date.now, monotonic: () => performance.now() },
  });
  const send = (over: Parameters<typeof anAttempt>[0], credentials?: unknown) =>
    adapter.send(anRcs({ acceptedMs: Date.now(), ...over }), credentials);

  await t.test('each number of the test range has its outcome', async (t) => {
    const outcomes: [number: string, outcome: string, reason?: string, delay?: number][] = [
      ['0001', 'permanent', 'invalid_argument'],
      ['0002', 'permanent', 'rcs_unreachable'],
      ['0003', 'config', 'permission_denied'],
      ['0004', 'accepted'],
      ['0005', 'rate', 'quota_exceeded', 2_000],
      ['0006', 'retry', 'unavailable'],
      ['0007', 'accepted'],
      ['0008', 'ambiguous', 'connection_lost'],
      ['0009', 'permanent', 'rcs_unreachable'],
      ['0010', 'config', 'unauthenticated'],
      ['0011', 'permanent', 'invalid_argument'],
      ['0012', 'rate', 'quota_exceeded', 3_000],
      ['0013', 'retry', 'internal'],
    ];
    for (const [last, outcome, reason, retryAfterMs] of outcomes) {
      const got = await send({ endpoint: `+1500555${last}`, deviceId: `dev_${last}` });
      t.match(got, { outcome, ...(reason && { reason }), ...(retryAfterMs && { retryAfterMs }) });
    }
  });

  await t.test('a try after one without an answer is accepted under the same id', async (t) => {
    const endpoint = '+15005550008';
    const [first, second] = [
      await send({ endpoint, sendId: 'ntf_1' }),
      await send({ endpoint, sendId: 'ntf_1', attempt: 2 }),
    ];
    t.match(first, { outcome: 'ambiguous' });
    t.same(second, {
      outcome: 'accepted',
      providerMessageId: attemptUuid('ntf_1', anRcs().deviceId),
    });
    t.match(await messages(), [{ status: 409 }, { outcome: 'unanswered' }]);
  });

  await t.test('everything a message can hold is taken, and shown', async (t) => {
    const content = {
      image,
      deepLink: shop,
      buttons: [
        { id: 'yes', label: 'Yes' },
        { label: 'Call', url: 'tel:+6621234567' },
      ],
      options: { ttlSeconds: 60 },
    };
    t.match(await send({ sendId: 'ntf_2', content }, agent), { outcome: 'accepted' });
    const [message] = await messages();
    t.match(message, {
      channel: 'rcs',
      look: 'chat',
      to: phone,
      sendId: 'ntf_2',
      deviceId: anRcs().deviceId,
      sender: agent.agentId,
      title: 'Your order',
      text: 'It has shipped.',
      image,
    });
    const { buttons } = (await call('GET', `/control/messages/${message.id}`)).json;
    t.same(buttons, [
      { label: 'Yes' },
      { label: 'Call', url: 'tel:+6621234567' },
      { label: 'Open', url: shop },
    ]);
  });
});
