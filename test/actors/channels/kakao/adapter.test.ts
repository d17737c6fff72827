// The KakaoTalk adapter: the conformance suite, every code of Solapi's tables, the signature
// against the published vector, the mapping as exact bodies, numbers in the provider's form, and
// the sandbox's stand-in at the other end.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createKakao } from '../../../../actors/channels/kakao/adapter.ts';
import { meaningOfCode } from '../../../../actors/channels/kakao/errors.ts';
import { kakaoMessage } from '../../../../actors/channels/kakao/message.ts';
import { kakaoAuthorization, kakaoSalt } from '../../../../actors/channels/kakao/signature.ts';
import { readKakaoTemplate } from '../../../../actors/channels/kakao/template.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { providerTemplateFault } from '../../../../actors/content/accept/provider-template.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { tries } from '../../../support/tries.ts';
import { configOf, openHttp, withProvider } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior } from '../stand-ins.ts';

const number = '+821012345678';
const account = {
  apiKey: 'NCSAYU7YDBXYORXC',
  apiSecret: 'a-secret-of-thirty-two-characters',
  pfId: 'KA01PF190227072057634',
  from: '0212345678',
};
const sender = { pfId: account.pfId, from: account.from };
const templateId = 'KA01TP190227072057634';
const messageId = 'M4V20260101000000ABCDEFGHIJKLMNO';

const aKakao = (
  kakao: unknown = { templateId },
  content: Partial<RenderedContent> = {},
): Attempt => ({
  ...anAttempt({ channel: 'kakao', endpoint: number }),
  content: { body: '', options: {}, payload: { kakao }, ...content },
});

const groupInfo = { groupId: 'G4V1', count: { total: 1, registeredSuccess: 1 } };
const taken = { messageId, statusCode: '2000', statusMessage: '정상 접수' };

function answered(body: object, status = 200, headers = {}): HttpBehavior {
  return { status, headers, body: JSON.stringify(body) };
}
const accept = answered({ groupInfo, failedMessageList: [], messageList: [taken] });
const failed = (code: number | string, words = 'no'): HttpBehavior =>
  answered({
    groupInfo,
    failedMessageList: [
      { to: '01012345678', messageId, statusCode: String(code), statusMessage: words },
    ],
  });
const refused = (status: number, errorCode: string, headers = {}) =>
  answered({ errorCode, errorMessage: 'no' }, status, headers);

const config = configOf('KAKAO');

type Wanted = ChannelSubject['outcomes'][string]['outcome'];
// biome-ignore format: a table reads better packed
const codes: readonly (readonly [codes: readonly number[], outcome: Wanted, reason: string])[] = [
  [[3104], 'dead', 'not_a_kakaotalk_user'],
  [[3032], 'dead', 'not_a_subscriber'],
  [[3010], 'dead', 'invalid_number'],
  [[3107], 'permanent', 'inactive_or_blocked'],
  [[3102], 'permanent', 'not_a_friend'],
  [[1060, 2060], 'opted_out', 'blocked_number'],
  [[1061, 2061], 'opted_out', 'opted_out'],
  [[1064, 2064], 'opted_out', 'reported_number'],
  [[3047], 'permanent', 'refused_by_handset'],
  [[1031], 'permanent', 'text_too_long'],
  [[1042, 3105], 'permanent', 'template_not_registered'],
  [[1043, 3103], 'permanent', 'template_mismatch'],
  [[1044, 1045, 1046, 1047, 1048, 1049, 1050, 1052, 1053], 'permanent', 'button_invalid'],
  [[1023, 1034, 1051], 'permanent', 'image_invalid'],
  [[1032], 'permanent', 'custom_fields_invalid'],
  [[1010, 1011, 1013, 1014, 1025, 1027, 1028, 1029, 1033, 2011, 3011], 'permanent', 'invalid_request'],
  [[1058, 3058], 'permanent', 'no_route'],
  [[2254, 3054, 3055], 'permanent', 'filtered'],
  [[1041, 3101, 3106], 'config', 'channel_invalid'],
  [[1020], 'config', 'unauthenticated'],
  [[1030, 2230], 'config', 'balance_used_up'],
  [[1062, 2062, 3013, 3059], 'config', 'sender_number_not_usable'],
  [[2063], 'config', 'account_blocked'],
  [[1024, 2024, 3024], 'retry', 'internal'],
  [[3012], 'retry', 'carrier_unavailable'],
  [[3040], 'retry', 'timed_out'],
  [[3041, 3042, 3043, 3044, 3045, 3046], 'retry', 'handset_unreachable'],
  [[3053], 'retry', 'queue_full'],
  [[3108], 'rate', 'outside_hours'],
  [[3999], 'permanent', 'code_3999'],
];
// biome-ignore format: a table reads better packed
const calls: readonly (readonly [status: number, errorCode: string, outcome: Wanted, reason: string])[] = [
  [403, 'InvalidAPIKey', 'config', 'unauthenticated'],
  [403, 'SignatureDoesNotMatch', 'config', 'unauthenticated'],
  [403, 'RequestTimeTooSkewed', 'config', 'clock_skewed'],
  [403, 'DuplicatedSignature', 'retry', 'signature_repeated'],
  [401, 'Unauthorized', 'config', 'unauthenticated'],
  [400, 'NotEnoughBalance', 'config', 'balance_used_up'],
  [400, 'TooManyRequests', 'rate', 'throttled'],
  [400, 'ValidationError', 'permanent', 'invalid_request'],
  [401, '', 'config', 'unauthenticated'],
  [402, '', 'config', 'balance_used_up'],
  [403, '', 'config', 'unauthenticated'],
  [404, '', 'config', 'address_not_found'],
  [408, '', 'retry', 'http_408'],
  [413, '', 'permanent', 'payload_too_large'],
  [418, '', 'permanent', 'http_418'],
  [425, '', 'retry', 'http_425'],
  [429, '', 'rate', 'throttled'],
  [500, 'InternalError', 'retry', 'http_500'],
  [502, '', 'retry', 'http_502'],
  [503, '', 'retry', 'unavailable'],
  [302, '', 'config', 'http_302'],
  [204, '', 'config', 'http_204'],
];
const codeRows = codes.flatMap(([many, outcome, reason]) =>
  many.map((code) => [code, outcome, reason] as const),
);

const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  ...Object.fromEntries(codeRows.map(([code]) => [`code ${code}`, failed(code)])),
  ...Object.fromEntries(
    calls.map(([status, name]) => [`HTTP ${status} ${name}`, refused(status, name)]),
  ),
  'a code in the list of messages': answered({
    failedMessageList: [],
    messageList: [{ ...taken, statusCode: '3104' }],
  }),
  'a yes that was cut': { status: 200, body: '{"groupInfo":{"groupId' },
  'a page of somebody else': { status: 200, body: '<html>' },
  'neither list': answered({ groupInfo }),
  'a code that is none': failed('OK'),
  'HTML of a gateway': { status: 502, body: '<html>' },
  'seconds to wait': refused(429, 'TooManyRequests', { 'retry-after': '7' }),
  'a date to wait for': refused(503, '', {
    'retry-after': new Date(acceptedMs + 90_000).toUTCString(),
  }),
  'a day to wait': refused(429, '', { 'retry-after': '86400' }),
  'no delay': refused(429, ''),
  'the night': failed(3108),
  echo: failed(
    1011,
    `no: ${number} 01012345678 1012345678 ${account.apiKey} ${account.apiSecret} ${account.from} someone@example.com`,
  ),
};

const subject: ChannelSubject = {
  name: 'kakao',
  attempt: () => aKakao(),
  open: openHttp({
    create: createKakao,
    config: (url) => config(url),
    credentials: account,
    accept,
    behaviors,
    lateBody: JSON.stringify({ messageList: [taken] }),
  }),
  outcomes: {
    ...Object.fromEntries(
      codeRows.map(([code, outcome, reason]) => [`code ${code}`, { outcome, reason }]),
    ),
    ...Object.fromEntries(
      calls.map(([status, name, outcome, reason]) => [
        `HTTP ${status} ${name}`,
        { outcome, reason },
      ]),
    ),
    'a code in the list of messages': { outcome: 'dead', reason: 'not_a_kakaotalk_user' },
    'a yes that was cut': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a page of somebody else': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'neither list': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a code that is none': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'HTML of a gateway': { outcome: 'retry', reason: 'http_502' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'no delay': 0,
    'the night': 900_000,
  },
  tooLarge: () => aKakao({ templateId, variables: { a: 'x'.repeat(1_001) } }),
  tooLargeReason: 'text_too_long',
  secrets: [
    number,
    '1012345678',
    account.apiKey,
    account.apiSecret,
    account.from,
    'someone@example.com',
  ],
};

await channelConformance(t, subject);

async function scripted(t: Test, mode: 'live' | 'sandbox' = 'live') {
  const inMode = (url: string) => config(url, mode);
  const { provider: kakao, ...rest } = await withProvider(t, createKakao, inMode, accept);
  return { kakao, ...rest };
}

t.test('every code of the table is tried', async (t) => {
  const yes = [1026, 2000, 3000, 4000];
  const tried = [...yes, ...codeRows.map(([code]) => code)].filter((code) => code !== 3999);
  const known = Array.from({ length: 10_000 }, (_, code) => code).filter(
    (code) => meaningOfCode(code, false).reason !== `code_${code}`,
  );
  t.same(known, [...tried].sort());
  const { kakao, adapter } = await scripted(t);
  for (const code of yes) {
    for (const behavior of [
      failed(code),
      answered({ messageList: [{ ...taken, statusCode: String(code) }] }),
    ]) {
      kakao.meet(behavior);
      const outcome = await adapter.send(aKakao(), account);
      t.same(outcome, { outcome: 'accepted', providerMessageId: messageId }, `${code}`);
    }
  }
  kakao.meet(answered({ messageList: { [messageId]: taken } }));
  t.match(await adapter.send(aKakao(), account), { providerMessageId: messageId }, 'by id, too');
  kakao.meet(failed(3104));
  t.match(await adapter.send(aKakao(), account), { providerMessageId: messageId }, 'of a failure');
});

t.test('what is wrong with the channel is the fault of who named it', async (t) => {
  const { kakao, adapter } = await scripted(t);
  for (const code of [1041, 3101, 3106]) {
    kakao.meet(failed(code));
    t.match(await adapter.send(aKakao(), account), { outcome: 'config' });
    const own = await adapter.send(aKakao({ templateId, senderKey: 'KA01PFother' }), account);
    t.match(own, { outcome: 'permanent', reason: 'channel_invalid' });
  }
});

t.test('a call is signed as Solapi asks, and each call anew', async (t) => {
  const signed = kakaoAuthorization(
    { apiKey: 'key', apiSecret: 'secret' },
    Date.parse('2026-01-01T00:00:00.000Z'),
    '0123456789abcdef',
  );
  t.equal(
    signed,
    'HMAC-SHA256 apiKey=key, date=2026-01-01T00:00:00.000Z, salt=0123456789abcdef, signature=4fce0fc092c2acb060fc87dd57281d2e0c765af62cacb1e5911f6efe8a618645',
  );
  const { kakao, adapter } = await scripted(t);
  for (let i = 0; i < 3; i++) await adapter.send(aKakao(), account);
  const headers = kakao.calls.map(({ headers }) => String(headers.authorization));
  t.equal(new Set(headers).size, 3, 'though clock and message stand still');
  for (const header of headers) {
    const [, salt = ''] = /salt=([0-9a-f]{32}),/.exec(header) ?? [];
    t.equal(header, kakaoAuthorization(account, acceptedMs, salt));
    t.notOk(header.includes(account.apiSecret));
  }
  t.not(kakaoSalt({ ...aKakao(), deviceId: 'dev_2' }, 1), kakaoSalt(aKakao(), 1));
  t.not(kakaoSalt({ ...aKakao(), attempt: 2 }, 1), kakaoSalt(aKakao(), 1));
});

const { sendId, deviceId } = aKakao();
const wireOf = (kakaoOptions: object, more: object = {}) => ({
  messages: [
    {
      to: '01012345678',
      country: '82',
      from: account.from,
      type: 'ATA',
      kakaoOptions: { pfId: account.pfId, templateId, disableSms: true, ...kakaoOptions },
      customFields: { sendId, deviceId },
      ...more,
    },
  ],
  allowDuplicates: false,
  showMessageList: true,
});

const forms: [what: string, attempt: Attempt, wire: object][] = [
  ['a template', aKakao(), wireOf({})],
  ['blanks around ids', aKakao({ templateId: ` ${templateId}\n` }), wireOf({})],
  [
    'variables under either name, and numbers as text',
    aKakao({ templateId, variables: { name: 'Ann', '#{order no}': 7, paid: true, none: '' } }),
    wireOf({
      variables: { '#{name}': 'Ann', '#{order no}': '7', '#{paid}': 'true', '#{none}': '' },
    }),
  ],
  [
    'a channel of its own',
    aKakao({ templateId, senderKey: 'KA01PFother', footer: 'x' }),
    wireOf({ pfId: 'KA01PFother' }),
  ],
  [
    'what the template says itself is left out',
    aKakao(
      { templateId },
      {
        title: 'T',
        body: 'B',
        image: 'https://cdn.example.com/a.png',
        deepLink: 'https://shop.example.com/',
        buttons: [{ label: 'Go', url: 'https://shop.example.com/' }],
        options: {
          badgeCount: 3,
          sound: 'none',
          ttlSeconds: 60,
          collapseKey: 'ck',
          androidChannelId: 'orders',
          priority: 'high',
        },
      },
    ),
    wireOf({}),
  ],
  [
    'custom data goes along where it fits, and ours wins',
    aKakao(
      { templateId },
      {
        data: {
          order: 'x'.repeat(100),
          [`${'n'.repeat(30)}`]: '1',
          [`${'n'.repeat(31)}`]: '1',
          long: 'x'.repeat(101),
          sendId: 'theirs',
        },
      },
    ),
    wireOf(
      {},
      { customFields: { order: 'x'.repeat(100), [`${'n'.repeat(30)}`]: '1', sendId, deviceId } },
    ),
  ],
];

t.test('a message is this call, its preview shows it, and the stand-in takes it', async (t) => {
  const { kakao, adapter } = await scripted(t);
  const { call } = await withSandbox(t);
  for (const [index, [what, attempt, wire]] of forms.entries()) {
    kakao.calls.length = 0;
    t.match(await adapter.send(attempt, account), { outcome: 'accepted' }, what);
    const [made] = kakao.calls;
    t.strictSame(JSON.parse(String(made?.body)), wire, what);
    t.equal(`${made?.method} ${made?.path}`, 'POST /messages/v4/send-many/detail');
    t.equal(made?.headers['content-type'], 'application/json');
    const preview = payloadOf(attempt, acceptedMs);
    const { from: _from, ...shown } = JSON.parse(String(made?.body)).messages[0];
    if (shown.kakaoOptions.pfId === account.pfId) delete shown.kakaoOptions.pfId;
    t.strictSame(preview, { payload: { ...wire, messages: [shown] } });
    const authorization = kakaoAuthorization(account, Date.now(), kakaoSalt(attempt, index));
    const path = '/kakao/messages/v4/send-many/detail';
    const taken = await call('POST', path, wire, { authorization });
    t.match(
      taken.json,
      { failedMessageList: [], messageList: [{ statusCode: '2000' }] },
      taken.text,
    );
  }
});

t.test('numbers are as they are dialled at home', (t) => {
  const rows: [number: string, to: string, country: string][] = [
    ['+821012345678', '01012345678', '82'],
    ['+82212345678', '0212345678', '82'],
    ['+14155550123', '4155550123', '1'],
    ['+15005550001', '5005550001', '1'],
    ['+819012345678', '9012345678', '81'],
    ['+84912345678', '912345678', '84'],
    ['+390612345678', '0612345678', '39'],
  ];
  for (const [e164, to, country] of rows) {
    const made = kakaoMessage(aKakao(), e164, sender);
    t.match('body' in made && JSON.parse(made.body).messages[0], { to, country }, e164);
  }
  t.end();
});

t.test('a template that is none sends nothing, and says which member is wrong', (t) => {
  const wrong: [value: unknown, at: string, problem: RegExp][] = [
    ['x', '', /expected an object with templateId/],
    [null, '', /expected an object/],
    [{}, 'templateId', /approved template id/],
    [{ templateId: '' }, 'templateId', /1 to 128/],
    [{ templateId: 'a b' }, 'templateId', /without spaces/],
    [{ templateId: 'x'.repeat(129) }, 'templateId', /./],
    [{ templateId, senderKey: 5 }, 'senderKey', /KakaoTalk channel/],
    [{ templateId, variables: ['a'] }, 'variables', /object whose values are strings/],
    [{ templateId, variables: { name: {} } }, 'variables.name', /expected a string/],
    [{ templateId, variables: { 'a.b': 'x' } }, 'variables', /without dots/],
    [{ templateId, variables: { '#{}': 'x' } }, 'variables', /names of 1 to 64/],
    [{ templateId, variables: { ['x'.repeat(65)]: 'x' } }, 'variables', /64/],
    [{ templateId, variables: { a: 'x', '#{a}': 'y' } }, 'variables.a', /twice/],
    [
      {
        templateId,
        variables: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, 'x'])),
      },
      'variables',
      /at most 100/,
    ],
  ];
  for (const [value, at, problem] of wrong) {
    t.match(readKakaoTemplate(value), { at, problem });
    const field = at === '' ? 'payload.kakao' : `payload.kakao.${at}`;
    t.match(providerTemplateFault({ kakao: value }), { code: 'invalid', field });
    const made = kakaoMessage(aKakao(value), number, sender);
    t.match(made, { outcome: 'permanent', reason: 'template_invalid' });
    t.ok('detail' in made && made.detail?.startsWith(`${field}: `));
  }
  t.equal(providerTemplateFault({}), undefined);
  t.equal(providerTemplateFault({ kakao: { templateId: '{{ "a" | append: "b" }}' } }), undefined);
  const none = aKakao(undefined, { title: 'T', body: 'B', payload: {} });
  t.match(kakaoMessage(none, number, sender), { outcome: 'permanent', reason: 'template_missing' });
  t.match(payloadOf(none, acceptedMs), { outcome: 'permanent', reason: 'template_missing' });
  t.end();
});

t.test('a variable may say as much as an AlimTalk, and no more', (t) => {
  const made = (n: number) =>
    kakaoMessage(aKakao({ templateId, variables: { a: 'x'.repeat(n) } }), number, sender);
  t.ok('body' in made(999));
  t.ok('body' in made(1_000));
  t.match(made(1_001), {
    outcome: 'permanent',
    reason: 'text_too_long',
    detail: '#{a} has 1001 characters, 1000 are allowed',
  });
  t.end();
});

t.test('whatever a template holds, the stand-in takes it, or nothing is sent', async (t) => {
  const { call } = await withSandbox(t);
  const words = fc.string({ maxLength: 120, unit: 'grapheme' });
  const template = fc.record(
    {
      templateId: fc.oneof(fc.constant(templateId), words),
      senderKey: fc.constantFrom('KA01PFother', 'a b'),
      variables: fc.dictionary(fc.string({ maxLength: 70 }), words, { maxKeys: 4 }),
    },
    { requiredKeys: ['templateId'] },
  );
  const data = fc.dictionary(fc.string({ maxLength: 40 }), words, { maxKeys: 3 });
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(template, data, async (template, data) => {
      const attempt = aKakao(template, { data });
      const made = kakaoMessage(attempt, number, sender);
      if ('outcome' in made) return t.equal(made.outcome, 'permanent');
      const authorization = kakaoAuthorization(account, Date.now(), kakaoSalt(attempt, ++calls));
      const path = '/kakao/messages/v4/send-many/detail';
      const taken = await call('POST', path, JSON.parse(made.body), { authorization });
      return t.same(taken.json.failedMessageList, [], taken.text);
    }),
    { numRuns: tries(200) },
  );
});

t.test('the stand-in plays what its numbers say, and shows what arrived', async (t) => {
  const { url, call, messages } = await withSandbox(t);
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs: 2_500 });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(Date.now());
  const adapter = createKakao({ config: config(`${url}/kakao`, 'sandbox'), outbound, clock });
  const send = (endpoint: string, credentials?: object) =>
    adapter.send(
      {
        ...aKakao({ templateId, variables: { name: 'Ann' } }),
        endpoint,
        acceptedMs: clock.nowMs,
      },
      credentials,
    );
  const numbers: [last: string, outcome: object][] = [
    ['0001', { outcome: 'dead', reason: 'invalid_number' }],
    ['0002', { outcome: 'permanent', reason: 'no_route' }],
    ['0003', { outcome: 'config', reason: 'channel_invalid' }],
    ['0004', { outcome: 'opted_out', reason: 'opted_out' }],
    ['0005', { outcome: 'rate', retryAfterMs: 2_000 }],
    ['0006', { outcome: 'retry', reason: 'unavailable' }],
    ['0007', { outcome: 'dead', reason: 'not_a_subscriber' }],
    ['0008', { outcome: 'ambiguous', reason: 'connection_lost' }],
    ['0009', { outcome: 'dead', reason: 'not_a_kakaotalk_user' }],
    ['0010', { outcome: 'config', reason: 'unauthenticated' }],
    ['0011', { outcome: 'permanent', reason: 'inactive_or_blocked' }],
    ['0012', { outcome: 'config', reason: 'balance_used_up' }],
    ['0013', { outcome: 'rate', reason: 'outside_hours', atLeastMs: 900_000 }],
    ['0014', { outcome: 'permanent', reason: 'template_not_registered' }],
    ['0015', { outcome: 'permanent', reason: 'template_mismatch' }],
    ['0018', { outcome: 'ambiguous', reason: 'connection_lost' }],
    ['0019', { outcome: 'config', reason: 'clock_skewed' }],
    ['0020', { outcome: 'retry', reason: 'internal' }],
    ['0021', { outcome: 'accepted' }],
    ['0099', { outcome: 'accepted', providerMessageId: /^M4V/ }],
  ];
  for (const [last, outcome] of numbers) t.match(await send(`+1500555${last}`), outcome, last);
  t.match((await messages())[0], {
    channel: 'kakao',
    look: 'chat',
    to: '+15005550099',
    text: `Template ${templateId}\n#{name} Ann`,
    sendId,
    deviceId,
    outcome: 'accepted',
    note: /not known here/,
  });
  await call('POST', '/control/kakao/templates', { templateId, text: 'Dear #{name}, it left.' });
  t.match(await send(number, account), { outcome: 'accepted' }, 'of a key that it was not told');
  t.match((await messages())[0], {
    to: number,
    sender: `channel ${account.pfId}`,
    text: 'Dear Ann, it left.',
  });
  await call('POST', '/control/kakao/keys', {
    apiKey: account.apiKey,
    apiSecret: 'another-secret',
  });
  t.match(await send(number, account), { outcome: 'config', reason: 'unauthenticated' });
  const { apiKey, apiSecret } = account;
  await call('POST', '/control/kakao/keys', { apiKey, apiSecret });
  t.match(await send(number, account), { outcome: 'accepted' });
  clock.nowMs += 16 * 60_000;
  t.match(await send(number, account), { outcome: 'config', reason: 'clock_skewed' });
});
