// The LINE adapter: the conformance suite, every answer of LINE, the form that each content takes
// against exact bodies, bounds, and the real stand-in of the sandbox over loopback.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createLine } from '../../../../actors/channels/line/adapter.ts';
import { lineMessage } from '../../../../actors/channels/line/message.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { attemptUuid } from '../../../../actors/channels/port/attempt-uuid.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { configOf, openHttp, previewIsWhatIsSent, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior, httpStandIn } from '../stand-ins.ts';

const person = `U4af4980629${'0'.repeat(22)}`;
const channel = { channelAccessToken: 'line-channel-access-token/of+one=app' };
const messageId = '461230966842064897';
const requestId = '8a2ffb62-9aa6-4e39-8a0f-2b9f3c1f0a11';

/** Content as it is; `anAttempt` would give a title to what has none. */
const aLine = (content: Partial<RenderedContent> = {}, over: Partial<Attempt> = {}): Attempt => ({
  ...anAttempt({ channel: 'line', endpoint: person }),
  content: { body: 'It has shipped.', options: {}, ...content },
  ...over,
});

function said(status: number, message: string, headers?: Record<string, string>): HttpBehavior {
  return { status, ...(headers && { headers }), body: JSON.stringify({ message }) };
}

const accept: HttpBehavior = {
  status: 200,
  headers: { 'x-line-request-id': requestId },
  body: JSON.stringify({ sentMessages: [{ id: messageId, quoteToken: 'q' }, { id: '2' }] }),
};
const noSuchUser = said(400, 'Failed to send messages');
const rateLimit = 'The API rate limit has been exceeded. Try again later.';
const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  'a user who does not exist, where nothing succeeded yet': noSuchUser,
  'a user who does not exist, where others are reached': noSuchUser,
  'a bad property': {
    status: 400,
    body: JSON.stringify({
      message: 'The request body has 1 error(s)',
      details: [{ message: 'May not be empty', property: 'messages[0].text' }],
    }),
  },
  'an invalid recipient': said(
    400,
    "The property, 'to', in the request body is invalid (line: -, column: -)",
  ),
  'a refused token': said(401, 'Authentication failed'),
  'an account without the right': said(403, 'Access to this API is not available'),
  'a wrong path': said(404, 'Not found'),
  'a request time-out': { status: 408 },
  'more than 2 MB': said(413, 'Request exceeds the max size of 2MB'),
  'a request too early': { status: 425 },
  'the rate limit': said(429, rateLimit),
  'the monthly limit': said(429, 'You have reached your monthly limit.'),
  'an internal error': said(500, 'Internal server error'),
  'a bad gateway': { status: 502, body: '<html>' },
  unavailable: said(503, 'Service unavailable'),
  'an unknown refusal': { status: 418 },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'seconds to wait': said(429, rateLimit, { 'retry-after': '7' }),
  'a date to wait for': said(503, '', {
    'retry-after': new Date(acceptedMs + 90_000).toUTCString(),
  }),
  'a day to wait': said(429, rateLimit, { 'retry-after': '86400' }),
  'a rate limit without a delay': said(429, rateLimit),
  echo: said(
    400,
    `no good: ${person} ${channel.channelAccessToken} someone@example.com +14155550123`,
  ),
};

const config = configOf('LINE');

const subject: ChannelSubject = {
  name: 'line',
  attempt: () => aLine(),
  open: openHttp({
    create: createLine,
    config: (url) => config(url),
    credentials: channel,
    accept,
    behaviors,
    lateBody: '{}',
  }),
  outcomes: {
    'a user who does not exist, where nothing succeeded yet': {
      outcome: 'permanent',
      reason: 'user_not_found',
    },
    'a user who does not exist, where others are reached': {
      outcome: 'dead',
      reason: 'user_not_found',
      afterSuccess: true,
    },
    'a bad property': { outcome: 'permanent', reason: 'invalid_request' },
    'an invalid recipient': { outcome: 'permanent', reason: 'invalid_request' },
    'a refused token': { outcome: 'config', reason: 'unauthenticated' },
    'an account without the right': { outcome: 'config', reason: 'not_entitled' },
    'a wrong path': { outcome: 'config', reason: 'address_not_found' },
    'a request time-out': { outcome: 'retry', reason: 'http_408' },
    'more than 2 MB': { outcome: 'permanent', reason: 'payload_too_large' },
    'a request too early': { outcome: 'retry', reason: 'http_425' },
    'the rate limit': { outcome: 'rate', reason: 'throttled' },
    'the monthly limit': { outcome: 'config', reason: 'monthly_limit_reached' },
    'an internal error': { outcome: 'retry', reason: 'internal' },
    'a bad gateway': { outcome: 'retry', reason: 'http_502' },
    unavailable: { outcome: 'retry', reason: 'unavailable' },
    'an unknown refusal': { outcome: 'permanent', reason: 'http_418' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a rate limit without a delay': 0,
  },
  tooLarge: () => aLine({ body: 'x'.repeat(5_001) }),
  tooLargeReason: 'text_too_long',
  secrets: [person, channel.channelAccessToken, 'someone@example.com', '4155550123'],
};

await channelConformance(t, subject);

const image = 'https://cdn.example.com/a.png';
const shop = 'https://shop.example.com/';
const uri = (label: string, to: string) => ({ type: 'uri', label, uri: to });
const picture = { type: 'image', originalContentUrl: image, previewImageUrl: image };
const text = (words: string) => ({ type: 'text', text: words });
const card = (altText: string, template: object) => ({
  type: 'template',
  altText,
  template: { type: 'buttons', ...template },
});
const view = { label: 'View', url: shop };
const title = 'Your order';
const body = 'It has shipped.';
const both = `${title}\n${body}`;

const forms: [
  what: string,
  content: Partial<RenderedContent>,
  messages: object[],
  more?: object,
][] = [
  ['a body is a text', {}, [text(body)]],
  ['a title is its first line', { title }, [text(both)]],
  ['a picture stands before the text', { title, image }, [picture, text(both)]],
  ['a picture without https is left out', { image: 'http://a.example/a.png' }, [text(body)]],
  [
    'a button makes a card',
    { buttons: [view] },
    [card(body, { text: body, actions: [uri('View', shop)] })],
  ],
  [
    'title and picture are on the card; the link is where a tap on it leads',
    { title, image, buttons: [view], deepLink: `${shop}orders/1` },
    [
      card(both, {
        thumbnailImageUrl: image,
        title,
        text: body,
        defaultAction: uri('Open', `${shop}orders/1`),
        actions: [uri('View', shop)],
      }),
    ],
  ],
  [
    'a link alone is a button, too',
    { title, deepLink: 'line://app/1' },
    [
      card(both, {
        title,
        text: body,
        defaultAction: uri('Open', 'line://app/1'),
        actions: [uri('Open', 'line://app/1')],
      }),
    ],
  ],
  [
    'a button without a link tells which was pressed',
    { buttons: [{ id: 'yes', label: 'Yes' }, { label: 'No' }] },
    [
      card(body, {
        text: body,
        actions: [
          {
            type: 'postback',
            label: 'Yes',
            data: `{"sendId":"${aLine().sendId}","deviceId":"${aLine().deviceId}","button":"yes"}`,
            displayText: 'Yes',
          },
          {
            type: 'postback',
            label: 'No',
            data: `{"sendId":"${aLine().sendId}","deviceId":"${aLine().deviceId}","button":"button-2"}`,
            displayText: 'No',
          },
        ],
      }),
    ],
  ],
  [
    "an app's own link opens nothing and is left out",
    { deepLink: 'shop://orders/1', buttons: [{ label: 'App', url: 'shop://orders' }] },
    [text(body)],
  ],
  [
    'more than 60 characters beneath a title: the title goes into the text of the card',
    { title, body: 'x'.repeat(61), buttons: [view] },
    [
      card(`${title}\n${'x'.repeat(61)}`, {
        text: `${title}\n${'x'.repeat(61)}`,
        actions: [uri('View', shop)],
      }),
    ],
  ],
  [
    'more than 60 beneath a picture: the picture stands before the card',
    { image, body: 'x'.repeat(61), buttons: [view] },
    [picture, card('x'.repeat(61), { text: 'x'.repeat(61), actions: [uri('View', shop)] })],
  ],
  [
    'more than a card holds is a text with its links beneath',
    {
      title,
      image,
      body: 'x'.repeat(150),
      deepLink: `${shop}1`,
      buttons: [view, { label: 'No' }],
    },
    [picture, text(`${title}\n${'x'.repeat(150)}\n\nView: ${shop}\n${shop}1`)],
  ],
  [
    'so are five buttons, and a link that one of them leads to is not told twice',
    { deepLink: shop, buttons: [1, 2, 3, 4, 5].map((n) => ({ ...view, label: `B${n}` })) },
    [text(`${body}\n\n${[1, 2, 3, 4, 5].map((n) => `B${n}: ${shop}`).join('\n')}`)],
  ],
  [
    'no sound is no notification',
    { options: { sound: 'none' } },
    [text(body)],
    { notificationDisabled: true },
  ],
  [
    'the options and the data that LINE has no place for are ignored',
    {
      data: { a: 'b' },
      options: {
        badgeCount: 3,
        sound: 'ding',
        ttlSeconds: 60,
        collapseKey: 'ck',
        androidChannelId: 'orders',
        priority: 'high',
      },
    },
    [text(body)],
  ],
];

async function scripted(t: Test) {
  const atSandbox = (url: string) => config(url, 'sandbox');
  const { provider: line, adapter } = await withProvider(t, createLine, atSandbox, accept);
  return { line, send: (attempt: Attempt) => adapter.send(attempt, undefined) };
}

t.test('what the content holds decides the form', async (t) => {
  const { send, line } = await scripted(t);
  const { call } = await withSandbox(t);
  const authorization = { authorization: 'Bearer sandbox' };
  for (const [what, content, messages, more] of forms) {
    line.calls.length = 0;
    const attempt = aLine(content);
    t.match(await send(attempt), { outcome: 'accepted', providerMessageId: messageId }, what);
    const [made] = line.calls;
    const wire = { to: person, messages, ...more };
    t.same(JSON.parse(String(made?.body)), wire, what);
    t.same(payloadOf(attempt, acceptedMs), { payload: wire }, 'and a preview shows the same');
    t.equal(made?.path, '/v2/bot/message/push');
    t.match(made?.headers, {
      authorization: 'Bearer sandbox',
      'content-type': 'application/json',
      'x-line-retry-key': attemptUuid(attempt.sendId, attempt.deviceId),
    });
    const taken = await call('POST', '/line/v2/bot/message/push', wire, authorization);
    t.equal(taken.status, 200, taken.text);
  }
});

t.test('whatever a message holds, the stand-in takes it, or nothing is sent', async (t) => {
  const { call } = await withSandbox(t);
  const { send, line } = await scripted(t);
  const words = (max: number) =>
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
      fc.integer({ min: 1, max }).map((length) => 'x'.repeat(length)),
    );
  const link = fc.constantFrom(
    shop,
    'shop://new',
    'tel:+6621234567',
    'LINE://app/1',
    `${shop}${'x'.repeat(980)}`,
  );
  const content: fc.Arbitrary<Partial<RenderedContent>> = fc.record(
    {
      title: words(45),
      body: fc.oneof(words(70), words(170), words(5_100)),
      image: fc.constantFrom(image, 'http://a.example/a.png'),
      deepLink: link,
      buttons: fc.array(fc.record({ label: words(22), url: link }, { requiredKeys: ['label'] }), {
        maxLength: 5,
      }),
      options: fc.record({ sound: fc.constantFrom('none', 'ding') }, { requiredKeys: [] }),
    },
    { requiredKeys: ['body', 'options'] },
  );
  const authorization = { authorization: 'Bearer x' };
  await previewIsWhatIsSent(t, {
    provider: line,
    send,
    attempts: content.map((content) => aLine(content)),
    async also(payload) {
      const taken = await call('POST', '/line/v2/bot/message/push', payload, authorization);
      t.equal(taken.status, 200, taken.text);
    },
    runs: 300,
  });
});

t.test('a form is taken up to its bound and not beyond', async (t) => {
  const buttons = [view];
  const typesOf = (content: Partial<RenderedContent>) => {
    const made = lineMessage(aLine(content));
    if (!('body' in made)) return made.reason;
    const { messages } = JSON.parse(made.body);
    return messages
      .map(({ type, template }: { type: string; template?: object }) =>
        template === undefined ? type : `${type}${'title' in template ? ' titled' : ''}`,
      )
      .join(' ');
  };
  const x = (length: number) => 'x'.repeat(length);
  const bounds: [
    max: number,
    contentOf: (n: number) => Partial<RenderedContent>,
    within: string,
    beyond: string,
  ][] = [
    [5_000, (n) => ({ body: x(n) }), 'text', 'text_too_long'],
    [5_000, (n) => ({ title: x(10), body: x(n - 11) }), 'text', 'text_too_long'],
    [160, (n) => ({ body: x(n), buttons }), 'template', 'text'],
    [60, (n) => ({ title, body: x(n), buttons }), 'template titled', 'template'],
    [60, (n) => ({ image, body: x(n), buttons }), 'template', 'image template'],
    [40, (n) => ({ title: x(n), buttons }), 'template titled', 'template'],
    [160, (n) => ({ title: x(50), body: x(n - 51), buttons }), 'template', 'text'],
    [20, (n) => ({ buttons: [{ ...view, label: x(n) }] }), 'template', 'text'],
    [
      1_000,
      (n) => ({ buttons: [{ ...view, url: shop + x(n - shop.length) }] }),
      'template',
      'text',
    ],
    [1_000, (n) => ({ deepLink: shop + x(n - shop.length) }), 'template', 'text'],
    [4, (n) => ({ buttons: new Array(n).fill(view) }), 'template', 'text'],
  ];
  for (const [max, contentOf, within, beyond] of bounds) {
    t.equal(typesOf(contentOf(max - 1)), within, `${max - 1} of ${max}`);
    t.equal(typesOf(contentOf(max)), within, `${max}`);
    t.equal(typesOf(contentOf(max + 1)), beyond, `${max + 1}, beyond ${max}`);
  }
  t.match(lineMessage(aLine({ body: x(5_001) })), {
    outcome: 'permanent',
    detail: 'the text has 5001 characters, 5000 are allowed',
  });
});

t.test('a retry key that was taken before is accepted with the ids of then', async (t) => {
  const { send, line } = await scripted(t);
  const headers = { 'x-line-request-id': 'now', 'x-line-accepted-request-id': 'then' };
  const answer = { message: 'The retry key is already accepted' };
  const sentMessages = [{ id: messageId }];
  line.meet({ status: 409, headers, body: JSON.stringify({ ...answer, sentMessages }) });
  t.same(await send(aLine()), { outcome: 'accepted', providerMessageId: messageId });
  line.meet({ status: 409, headers, body: JSON.stringify(answer) });
  t.same(await send(aLine()), { outcome: 'accepted', providerMessageId: 'then' });
  line.meet({ status: 200, headers, body: 'not JSON' });
  t.same(await send(aLine()), { outcome: 'accepted', providerMessageId: 'now' });
  line.meet({ status: 200, body: '{}' });
  t.same(await send(aLine()), { outcome: 'accepted' });
});

t.test('who was reached with one token vouches for no other', async (t) => {
  const line = await httpStandIn(accept);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await line.close();
  });
  const adapter = createLine({ config: config(line.url), outbound, clock: fixedClock(acceptedMs) });
  await adapter.send(aLine(), channel);
  t.equal(line.calls[0]?.headers.authorization, `Bearer ${channel.channelAccessToken}`);
  line.meet(noSuchUser);
  t.match(await adapter.send(aLine(), channel), { outcome: 'dead' });
  const other = { channelAccessToken: 'the-token-of-another-account' };
  t.match(await adapter.send(aLine(), other), { outcome: 'permanent' });
});

t.test('against the stand-in', async (t) => {
  const { providerUrls, call, messages } = await withSandbox(t);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const adapter = createLine({
    config: config(providerUrls['LINE'], 'sandbox'),
    outbound,
    clock: { now: Date.now, monotonic: () => performance.now() },
  });
  const send = (content: Partial<RenderedContent>, over: Partial<Attempt> = {}) =>
    adapter.send(aLine(content, { acceptedMs: Date.now(), ...over }), channel);

  await t.test('each name of an id has its outcome', async (t) => {
    await send({});
    const outcomes: [name: string, outcome: string, reason?: string, delayMs?: number][] = [
      ['dead', 'dead', 'user_not_found'],
      ['b10c', 'accepted'],
      ['bad0', 'permanent', 'invalid_request'],
      ['e400', 'permanent', 'invalid_request'],
      ['e401', 'config', 'unauthenticated'],
      ['e403', 'config', 'not_entitled'],
      ['e413', 'permanent', 'payload_too_large'],
      ['e429', 'rate', 'throttled'],
      ['f011', 'config', 'monthly_limit_reached'],
      ['e500', 'retry', 'internal'],
      ['e503', 'retry', 'unavailable'],
      ['deaf', 'ambiguous', 'connection_lost'],
    ];
    for (const [name, outcome, reason, retryAfterMs] of outcomes) {
      const endpoint = `U${name.padEnd(32, '0')}`;
      const got = await send({}, { endpoint, sendId: `ntf_${name}` });
      t.match(got, { outcome, ...(reason && { reason }), ...(retryAfterMs && { retryAfterMs }) });
    }
  });

  await t.test('a try after one without an answer has the ids of the first', async (t) => {
    await call('POST', '/control/faults', { channel: 'line', match: '*', fault: 'drop', count: 1 });
    t.match(await send({}, { sendId: 'ntf_1' }), { outcome: 'ambiguous' });
    const again = await send({}, { sendId: 'ntf_1', attempt: 2 });
    t.match(again, { outcome: 'accepted', providerMessageId: /^\d{18}$/ });
    t.same(await send({}, { sendId: 'ntf_1', attempt: 3 }), again);
    t.match(await send({}, { sendId: 'ntf_1', deviceId: 'dev_2' }), { outcome: 'accepted' });
    const statuses = (await messages()).slice(0, 4).map(({ status }) => status ?? null);
    t.same(statuses, [200, 409, 409, null]);
  });

  await t.test('what a message holds is shown', async (t) => {
    const content = {
      title,
      image,
      deepLink: `${shop}1`,
      buttons: [view, { id: 'n', label: 'No' }],
    };
    await send({ ...content, options: { sound: 'none' } }, { sendId: 'ntf_2' });
    const [message] = await messages();
    t.match(message, {
      channel: 'line',
      look: 'chat',
      to: person,
      sendId: 'ntf_2',
      deviceId: aLine().deviceId,
      title,
      text: body,
      image,
      link: `${shop}1`,
    });
    const shown = (await call('GET', `/control/messages/${message.id}`)).json;
    t.same(shown.buttons, [view, { label: 'No' }]);
    t.match(shown.details, [['messages', 'template'], ['notification', 'silent'], ['retry key']]);
  });
});
