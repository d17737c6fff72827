// SendGrid: the conformance suite of relays, with events signed as its documents say, and calls
// that carry many mails.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import t from 'tap';
import type { RelayMail } from '../../../../actors/channels/email/relay-mail.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { sendgrid } from '../../../../actors/channels/relays/sendgrid/kind.ts';
import { sendgridService } from '../../../../actors/channels/relays/sendgrid/provider.ts';
import {
  aRelayMail,
  type CallParts,
  type RelaySubject,
  relayAccount,
  relayConformance,
  relayStandInConformance,
} from '../../../conformance/relay.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { acceptedMs, type HttpBehavior } from '../stand-ins.ts';

const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const account = {
  apiKey: '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',
  region: 'global',
  publicKey: keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
};
const to = 'person@example.net';

const refused = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
  field: string | null = null,
): HttpBehavior => ({
  status,
  headers,
  body: JSON.stringify({ errors: [{ message, field, help: null }] }),
});

function signed(
  payload: unknown,
  nowMs: number,
  { key = keys.privateKey, signedTime }: { key?: KeyObject; signedTime?: string } = {},
): CallParts {
  const time = String(Math.floor(nowMs / 1000));
  const body = Buffer.from(JSON.stringify([payload]));
  const signature = sign('sha256', Buffer.concat([Buffer.from(signedTime ?? time), body]), {
    key,
    dsaEncoding: 'der',
  });
  return {
    headers: {
      'X-Twilio-Email-Event-Webhook-Signature': signature.toString('base64'),
      'X-Twilio-Email-Event-Webhook-Timestamp': time,
    },
    body,
  };
}

const event =
  (name: string, more: object = {}) =>
  (mark: string, atMs: number) => ({
    email: to,
    timestamp: Math.floor(atMs / 1000),
    'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
    sg_event_id: 'sg_event_id',
    sg_message_id: 'sg_message_id',
    category: ['a'],
    app: 'shop',
    engage: mark,
    event: name,
    ...more,
  });
const noUser = {
  type: 'bounce',
  status: '5.1.1',
  reason: '550 5.1.1 user unknown',
  bounce_classification: 'Invalid Address',
};

const cases: RelaySubject['events']['cases'] = {
  processed: { payload: event('processed'), wanted: { kind: 'accepted', to } },
  delivered: {
    payload: event('delivered', { response: '250 2.0.0 OK', ip: '192.0.2.1' }),
    wanted: { kind: 'delivered', to, reply: { code: 250, enhanced: '2.0.0', text: 'OK' } },
  },
  deferred: {
    payload: event('deferred', { response: '421 4.7.0 try again', attempt: '2' }),
    wanted: { kind: 'deferred', reply: { code: 421, enhanced: '4.7.0', text: 'try again' } },
  },
  'a bounce': {
    payload: event('bounce', noUser),
    wanted: {
      kind: 'hard_bounce',
      to,
      detail: 'Invalid Address',
      reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' },
    },
  },
  'a bounce whose status stands apart': {
    payload: event('bounce', { ...noUser, reason: '550 user unknown' }),
    wanted: { kind: 'hard_bounce', reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' } },
  },
  'a block': {
    payload: event('bounce', {
      type: 'blocked',
      status: '4.2.2',
      reason: '452 4.2.2 full',
      bounce_classification: 'Mailbox Unavailable',
    }),
    wanted: { kind: 'soft_bounce', detail: 'Mailbox Unavailable' },
  },
  'a block for reputation': {
    payload: event('bounce', {
      type: 'blocked',
      reason: '550 5.7.1 blocked',
      bounce_classification: 'Reputation',
    }),
    wanted: { kind: 'refused', reply: { code: 550, enhanced: '5.7.1', text: 'blocked' } },
  },
  'a block for content': {
    payload: event('bounce', {
      type: 'blocked',
      reason: '554 spam',
      bounce_classification: 'Content',
    }),
    wanted: { kind: 'refused' },
  },
  'dropped: bounced': {
    payload: event('dropped', { reason: 'Bounced Address' }),
    wanted: { kind: 'dropped', list: 'bounces' },
  },
  'dropped: spam report': {
    payload: event('dropped', { reason: 'Spam Reporting Address' }),
    wanted: { kind: 'dropped', list: 'complaints' },
  },
  'dropped: unsubscribed': {
    payload: event('dropped', { reason: 'Unsubscribed Address' }),
    wanted: { kind: 'dropped', list: 'unsubscribes' },
  },
  'dropped: invalid': {
    payload: event('dropped', { reason: 'Invalid' }),
    wanted: { kind: 'dropped', list: 'other' },
  },
  'dropped: spam content': {
    payload: event('dropped', { reason: 'Spam Content' }),
    wanted: { kind: 'refused', detail: 'Spam Content' },
  },
  'dropped: quota': {
    payload: event('dropped', { reason: 'Recipient List over Package Quota' }),
    wanted: { kind: 'refused' },
  },
  spamreport: { payload: event('spamreport'), wanted: { kind: 'complained', to } },
  'an open': {
    payload: event('open', { useragent: 'Mozilla/5.0', sg_machine_open: false }),
    wanted: { kind: 'opened', userAgent: 'Mozilla/5.0' },
  },
  'an open by a machine': {
    payload: event('open', { useragent: 'Mozilla/5.0', sg_machine_open: true }),
    wanted: { kind: 'opened', byMachine: true },
  },
  'a click': {
    payload: event('click', { url: 'https://a.example/?b=1', useragent: 'Mozilla/5.0' }),
    wanted: { kind: 'clicked', url: 'https://a.example/?b=1' },
  },
  unsubscribe: { payload: event('unsubscribe'), wanted: { kind: 'unsubscribed', to } },
  group_unsubscribe: {
    payload: event('group_unsubscribe', { asm_group_id: 1 }),
    wanted: { kind: 'unsubscribed', to },
  },
  group_resubscribe: {
    payload: event('group_resubscribe', { asm_group_id: 1 }),
    wanted: 'ignored',
  },
};

const subject: RelaySubject = {
  kind: 'sendgrid',
  service: sendgridService,
  urlName: 'SENDGRID',
  config: account,
  secrets: [account.apiKey],
  accept: { status: 202, headers: { 'x-message-id': 'abc' } },
  isTakenByStatus: true,
  outcomes: {
    'a 429': [refused(429, 'too many requests'), 'rate', 'throttled'],
    'a used-up day': [refused(401, 'Maximum credits exceeded'), 'rate', 'throttled'],
    'a revoked key': [
      refused(401, 'The provided authorization grant is invalid, expired, or revoked'),
      'config',
      'relay_authentication',
    ],
    'a key without the permission': [
      refused(403, 'access forbidden'),
      'config',
      'relay_authentication',
    ],
    'a sender that is not verified': [
      refused(403, 'The from address does not match a verified Sender Identity.'),
      'config',
      'sender_not_authenticated',
    ],
    'a wrong address': [
      refused(400, 'Does not contain a valid address.', {}, 'personalizations.0.to.0.email'),
      'permanent',
      'bad_address',
    ],
    'a wrong copy': [
      refused(400, 'Does not contain a valid address.', {}, 'personalizations.0.cc.0.email'),
      'permanent',
      'invalid_request',
    ],
    'a wrong request': [
      refused(400, 'subject is required', {}, 'subject'),
      'permanent',
      'invalid_request',
    ],
    'a 404': [refused(404, 'not found'), 'config', 'relay_refused'],
    'a mail that is too large': [refused(413, 'too large'), 'permanent', 'message_too_large'],
    'a 500': [refused(500, 'oops'), 'ambiguous', 'http_500'],
    'a 503': [{ status: 503 }, 'retry', 'unavailable'],
  },
  echo: refused(401, `no ${account.apiKey} for ${to}`),
  markIn: ({ body }) => bodyOf(body)?.personalizations[0].custom_args.engage,
  recipientsIn: ({ body }) => {
    const { to = [], cc = [], bcc = [] } = bodyOf(body)?.personalizations[0] ?? {};
    return [...to, ...cc, ...bcc].map(({ email }: { email: string }) => email);
  },
  tags: {
    in: ({ body }) => bodyOf(body)?.categories ?? [],
    usual: ['cmp_1', 'marketing'],
    countMax: 10,
    charsMax: 255,
  },
  check: {
    works: { status: 200, body: '{"scopes":["mail.send"]}' },
    refused: refused(401, `no ${account.apiKey}`),
  },
  events: {
    cases,
    ageMsMax: 24 * 3_600_000,
    unproven: { ...account, publicKey: undefined },
    call: (payload, nowMs) => signed(payload, nowMs),
    forgeries: {
      'the key of another account': (payload, nowMs) =>
        signed(payload, nowMs, { key: otherKeys.privateKey }),
      'another time than the signed one': (payload, nowMs, n) =>
        signed(payload, nowMs, { signedTime: String(Math.floor(nowMs / 1000) - 1 - n) }),
      'an altered signature': (payload, nowMs, n) => {
        const call = signed(payload, nowMs);
        const name = 'X-Twilio-Email-Event-Webhook-Signature';
        const bytes = Buffer.from(String(call.headers[name]), 'base64');
        const at = n % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 + (n % 7));
        return { ...call, headers: { ...call.headers, [name]: bytes.toString('base64') } };
      },
      'no signature': (payload, nowMs) => ({ ...signed(payload, nowMs), headers: {} }),
    },
  },
};

function bodyOf(body: Buffer): ReturnType<typeof JSON.parse> {
  return body.length === 0 ? undefined : JSON.parse(body.toString());
}

void relayConformance(t, subject).then(() =>
  relayStandInConformance(t, subject, async () => ({ apiKey: 'SG.sandbox-key', region: 'global' })),
);

const same = (n: number, over: Partial<RelayMail['mail']> = {}) =>
  aRelayMail({ to: `p${n}@example.net`, ...over }, n);

t.test('mails of a turn with equal contents share a call, each with its own mark', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const mails = [same(1), same(2), same(3, { subject: 'Another' }), same(4)];
  const outcomes = await Promise.all(mails.map((mail) => open.send(mail)));
  t.ok(outcomes.every(({ outcome }) => outcome === 'accepted'));
  const calls = provider.calls.map(({ body }) =>
    bodyOf(body).personalizations.map(
      (one: { custom_args: { engage: string } }) => one.custom_args.engage,
    ),
  );
  t.same(
    calls.sort((a, b) => b.length - a.length),
    [[mails[0]?.mark, mails[1]?.mark, mails[3]?.mark], [mails[2]?.mark]],
  );
});

t.test('mails of two campaigns share no call, since its categories are those of all', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const of = (n: number, campaign: string) => ({ ...same(n), tags: { campaign } });
  await Promise.all(
    [of(1, 'cmp_1'), of(2, 'cmp_2'), of(3, 'cmp_1')].map((mail) => open.send(mail)),
  );
  const calls = provider.calls.map(({ body }) => {
    const { categories, personalizations } = bodyOf(body);
    return [categories, personalizations.length];
  });
  t.same(calls.sort(), [
    [['cmp_1'], 2],
    [['cmp_2'], 1],
  ]);
});

t.test('a mail with files has a call of its own, with its files', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const attachments = [
    { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-') },
    { filename: 'l.png', contentType: 'image/png', content: Buffer.from('png'), cid: 'logo' },
  ];
  await Promise.all([open.send(same(1, { attachments })), open.send(same(2, { attachments }))]);
  t.equal(provider.calls.length, 2);
  t.same(bodyOf(provider.calls[0]?.body ?? Buffer.alloc(0)).attachments, [
    { content: 'JVBERi0=', type: 'application/pdf', filename: 'a.pdf', disposition: 'attachment' },
    {
      content: 'cG5n',
      type: 'image/png',
      filename: 'l.png',
      disposition: 'inline',
      content_id: 'logo',
    },
  ]);
});

t.test('a call has at most 1,000 people', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const mails = Array.from({ length: 1_100 }, (_, n) => same(n + 1));
  await Promise.all(mails.map((mail) => open.send(mail)));
  const sizes = provider.calls.map(({ body }) => bodyOf(body).personalizations.length);
  t.same(sizes.sort(), [100, 1_000]);
});

t.test('one wrong address refuses one mail, and the others leave without it', async (t) => {
  const rig = await withSandbox(t);
  const { account: open } = await relayAccount(t, subject, account, {
    url: rig.providerUrls['SENDGRID'] ?? '',
  });
  const mails = [same(1), same(2, { to: 'no-address' }), same(3), same(4, { to: 'x@y' })];
  const outcomes = await Promise.all(mails.map((mail) => open.send(mail)));
  t.match(outcomes, [
    { outcome: 'accepted' },
    { outcome: 'permanent', reason: 'bad_address' },
    { outcome: 'accepted' },
    { outcome: 'permanent', reason: 'bad_address' },
  ] satisfies Partial<Outcome>[]);
  t.same((await rig.messages('?channel=sendgrid')).map(({ to }) => to).sort(), [
    'p1@example.net',
    'p3@example.net',
  ]);
});

t.test('a service that refuses again and again is not asked for ever', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  provider.meet(refused(400, 'no', {}, 'personalizations.0.to.0.email'));
  const mails = Array.from({ length: 10 }, (_, n) => same(n + 1));
  const outcomes = await Promise.all(mails.map((mail) => open.send(mail)));
  t.equal(provider.calls.length, 10, 'each call ends one mail at least');
  t.ok(outcomes.every(({ outcome }) => outcome === 'permanent'));
});

t.test('content that is wrong for all is tried once, other refusals by halves', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const mails = Array.from({ length: 8 }, (_, n) => same(n + 1));
  const sendAll = () => Promise.all(mails.map((mail) => open.send(mail)));
  provider.meet(refused(400, 'subject is required', {}, 'subject'));
  t.ok((await sendAll()).every(({ outcome }) => outcome === 'permanent'));
  t.equal(provider.calls.length, 1);
  provider.meet(({ body }, response) => {
    const { personalizations } = bodyOf(body);
    const isWrong = personalizations.some((one: { to: { email: string }[] }) =>
      one.to[0]?.email.startsWith('p5@'),
    );
    if (!isWrong) return void response.writeHead(202).end();
    response
      .writeHead(400)
      .end(JSON.stringify({ errors: [{ message: 'Bad Request', field: null }] }));
  });
  const outcomes = await sendAll();
  t.same(
    outcomes.flatMap(({ outcome }, n) => (outcome === 'permanent' ? [n + 1] : [])),
    [5],
    'one mail is to blame',
  );
});

t.test('a recalled mail holds back none of its call', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const [first, second] = await Promise.all([
    open.send(same(1), () => false),
    open.send(same(2), () => true),
  ]);
  t.match([first, second], [{ outcome: 'retry', reason: 'recalled' }, { outcome: 'accepted' }]);
  t.equal(provider.calls.length, 1);
  t.equal(bodyOf(provider.calls[0]?.body ?? Buffer.alloc(0)).personalizations.length, 1);
});

t.test('a pause is as long as SendGrid says, by either header', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  provider.meet(refused(429, 'too many requests', { 'retry-after': '7' }));
  t.match(await open.send(same(1)), { outcome: 'rate', retryAfterMs: 7_000 });
  const reset = String(acceptedMs / 1000 + 42);
  provider.meet(refused(429, 'too many requests', { 'x-ratelimit-reset': reset }));
  t.match(await open.send(same(1)), { outcome: 'rate', retryAfterMs: 42_000 });
});

t.test('nobody gets a mail twice because they stand in it twice', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  await open.send(same(1, { cc: ['P1@example.net', 'c@example.net'], bcc: ['C@example.net'] }));
  const [call] = provider.calls;
  t.same(call && subject.recipientsIn(call), ['p1@example.net', 'c@example.net']);
});

t.test('a configuration is checked as it comes in', async (t) => {
  t.ok(sendgrid.configSchema.safeParse(account).success);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  for (const wrong of [
    { apiKey: 'short' },
    { publicKey: 'not a key' },
    { publicKey: rsa.export({ format: 'der', type: 'spki' }).toString('base64') },
    { region: 'mars' },
  ])
    t.notOk(sendgrid.configSchema.safeParse({ ...account, ...wrong }).success);
});
