// Resend: the conformance suite of relays, with webhooks as its documents show them, signed by a
// second implementation of Standard Webhooks.

import { createHmac } from 'node:crypto';
import t from 'tap';
import type { RelayMail } from '../../../../actors/channels/email/relay-mail.ts';
import { resendKind } from '../../../../actors/channels/relays/resend/kind.ts';
import { resendService } from '../../../../actors/channels/relays/resend/provider.ts';
import {
  aRelayMail,
  type CallParts,
  type RelaySubject,
  readCall,
  relayAccount,
  relayConformance,
  relayStandInConformance,
} from '../../../conformance/relay.ts';
import { acceptedMs, type HttpBehavior } from '../stand-ins.ts';

const apiKey = 're_9aXkUo1W_FtVtqPK2VnVVYzqG4HjYq6Qx';
const key = Buffer.from('a key of the webhook, 24 bytes or more');
const signingSecret = `whsec_${key.toString('base64')}`;
const config = resendKind.configSchema.parse({ apiKey, signingSecret });
const to = 'person@example.net';

const says = (
  status: number,
  name: string,
  message: string,
  headers: Record<string, string> = {},
): HttpBehavior => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ statusCode: status, name, message }),
});

interface Signing {
  readonly secret?: Buffer;
  readonly id?: string;
  readonly time?: string;
  readonly version?: string;
  readonly change?: (call: { headers: Record<string, string>; body: Buffer }) => void;
}

/** Standard Webhooks: base64 of HMAC-SHA256 over `id.timestamp.body`. */
function signed(payload: unknown, nowMs: number, options: Signing = {}): CallParts {
  const { secret = key, id = 'msg_2bMR9', version = 'v1', change } = options;
  const { time = String(Math.floor(nowMs / 1000)) } = options;
  const text = JSON.stringify(payload);
  const mac = createHmac('sha256', secret).update(`${id}.${time}.${text}`).digest();
  const signature = `${version},${mac.toString('base64')}`;
  const headers = { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': signature };
  const call = { headers, body: Buffer.from(text) };
  change?.(call);
  return call;
}

const event =
  (type: string, more: object = {}, tags?: (mark: string) => unknown) =>
  (mark: string, atMs: number): unknown => ({
    type,
    created_at: new Date(atMs).toISOString(),
    data: {
      created_at: '2026-11-20T23:41:11.894719+00:00',
      email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
      message_id: '<111-222-333@email.example.com>',
      from: 'Shop <shop@example.com>',
      to: [to],
      subject: 'Your order',
      tags: tags?.(mark) ?? { engage: mark, app: 'shop' },
      ...more,
    },
  });
const bounce = (type: string, subType: string, more: object = {}) =>
  event('email.bounced', { bounce: { type, subType, message: 'It bounced.', ...more } });
const listed = (mark: string) => [
  { name: 'app', value: 'shop' },
  { name: 'engage', value: mark },
];
const reader = { ipAddress: '122.115.53.11', timestamp: '2026-11-21T05:00:57.163Z' };

const cases: RelaySubject['events']['cases'] = {
  'email.sent': {
    payload: event('email.sent'),
    wanted: { kind: 'accepted', to, atMs: acceptedMs - 1_000 },
  },
  'email.delivered': { payload: event('email.delivered'), wanted: { kind: 'delivered', to } },
  'email.delivered, with a list of tags': {
    payload: event('email.delivered', {}, listed),
    wanted: { kind: 'delivered' },
  },
  'email.delivery_delayed': {
    payload: event('email.delivery_delayed'),
    wanted: { kind: 'deferred', to },
  },
  'a bounce of nobody': {
    payload: bounce('Permanent', 'NoEmail', {
      diagnosticCode: ['smtp; 550 5.1.1 user unknown'],
    }),
    wanted: {
      kind: 'hard_bounce',
      reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' },
    },
  },
  'a general bounce': { payload: bounce('Permanent', 'General'), wanted: { kind: 'hard_bounce' } },
  'a full mailbox': {
    payload: bounce('Transient', 'MailboxFull'),
    wanted: { kind: 'soft_bounce' },
  },
  'an undetermined bounce': {
    payload: bounce('Undetermined', 'Undetermined'),
    wanted: { kind: 'soft_bounce' },
  },
  'refused content': {
    payload: bounce('Transient', 'ContentRejected'),
    wanted: { kind: 'refused' },
  },
  'a bounce without a try': {
    payload: bounce('Permanent', 'Suppressed'),
    wanted: { kind: 'dropped', list: 'bounces' },
  },
  'email.suppressed': {
    payload: event('email.suppressed', {
      suppressed: { type: 'OnAccountSuppressionList', message: 'On the list.' },
    }),
    wanted: { kind: 'dropped', list: 'other', detail: 'On the list.' },
  },
  'email.complained': { payload: event('email.complained'), wanted: { kind: 'complained', to } },
  'email.failed': {
    payload: event('email.failed', { failed: { reason: 'reached_daily_quota' } }),
    wanted: { kind: 'refused', detail: 'reached_daily_quota' },
  },
  'email.opened': {
    payload: event('email.opened', { open: { ...reader, userAgent: 'Mozilla/5.0' } }),
    wanted: { kind: 'opened', userAgent: 'Mozilla/5.0' },
  },
  'email.clicked': {
    payload: event('email.clicked', {
      click: { ...reader, userAgent: 'Mozilla/5.0', link: 'https://example.com/a' },
    }),
    wanted: { kind: 'clicked', url: 'https://example.com/a', userAgent: 'Mozilla/5.0' },
  },
  'email.scheduled': { payload: event('email.scheduled'), wanted: 'ignored' },
  'contact.updated': { payload: event('contact.updated'), wanted: 'ignored' },
};

const subject: RelaySubject = {
  kind: 'resend',
  service: resendService,
  urlName: 'RESEND',
  config,
  secrets: [apiKey, signingSecret],
  accept: { status: 200, body: '{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}' },
  outcomes: {
    'a bad address': [
      says(422, 'validation_error', 'Invalid `to` field. Use email@example.com.'),
      'permanent',
      'bad_address',
    ],
    'a missing member': [
      says(422, 'missing_required_field', 'Missing `subject` field.'),
      'permanent',
      'invalid_request',
    ],
    'a sender that is no address': [
      says(422, 'invalid_from_address', 'Invalid `from` field.'),
      'config',
      'sender_not_configured',
    ],
    'a revoked key': [
      says(401, 'validation_error', 'API key is invalid'),
      'config',
      'relay_authentication',
    ],
    'a key of another form': [
      says(400, 'validation_error', 'API key is invalid'),
      'config',
      'relay_authentication',
    ],
    'an old answer for a revoked key': [
      says(403, 'invalid_api_key', 'API key is invalid'),
      'config',
      'relay_authentication',
    ],
    'a domain that is not verified': [
      says(403, 'validation_error', 'The example.com domain is not verified.'),
      'config',
      'sender_not_authenticated',
    ],
    'another request with this key': [
      says(409, 'invalid_idempotent_request', 'Another payload.'),
      'ambiguous',
      'idempotency_conflict',
    ],
    'a request with this key in progress': [
      says(409, 'concurrent_idempotent_requests', 'In progress.'),
      'ambiguous',
      'idempotency_conflict',
    ],
    'too many calls': [says(429, 'rate_limit_exceeded', 'Too many.'), 'rate', 'throttled'],
    'a used-up day': [says(429, 'daily_quota_exceeded', 'Enough.'), 'rate', 'throttled'],
    'a security rule': [says(451, 'security_error', 'No.'), 'permanent', 'content_refused'],
    'an internal error': [says(500, 'application_error', 'Oops.'), 'ambiguous', 'http_500'],
    'an answer that is no answer': [
      { status: 200, body: '<html>' },
      'ambiguous',
      'answer_unreadable',
    ],
  },
  echo: says(422, 'validation_error', `no: ${apiKey} for ${to}`),
  markIn: ({ body }) => {
    const parsed = body.length === 0 ? {} : JSON.parse(String(body));
    const { tags = [] } = Array.isArray(parsed) ? parsed[0] : parsed;
    return tags.find(({ name }: { name: string }) => name === 'engage')?.value;
  },
  recipientsIn: ({ body }) => {
    const { to, cc = [], bcc = [] } = JSON.parse(String(body));
    return [...to, ...cc, ...bcc];
  },
  tags: {
    in: ({ body }) =>
      (JSON.parse(String(body)).tags as { name: string; value: string }[])
        .filter(({ name }) => name !== 'engage')
        .map(({ value }) => value),
    usual: ['cmp_1', 'marketing'],
    countMax: 74,
    charsMax: 256,
  },
  check: {
    works: says(401, 'restricted_api_key', 'This API key is restricted to only send emails'),
    refused: says(401, 'validation_error', `API key is invalid: ${apiKey}`),
  },
  events: {
    unsaid: ['unsubscribed'],
    cases,
    call: (payload, nowMs) => signed(payload, nowMs),
    forgeries: {
      'another key': (payload, nowMs, n) =>
        signed(payload, nowMs, { secret: Buffer.from(`another key ${n}`) }),
      'another id': (payload, nowMs, n) =>
        signed(payload, nowMs, {
          change: ({ headers }) => {
            headers['svix-id'] = `msg_${n}`;
          },
        }),
      'another time': (payload, nowMs, n) =>
        signed(payload, nowMs, {
          change: ({ headers }) => {
            headers['svix-timestamp'] = String(Math.floor(nowMs / 1000) + n + 1);
          },
        }),
      'an altered byte of the mark': (payload, nowMs, n) =>
        signed(payload, nowMs, {
          change: ({ body }) => {
            const at = body.indexOf('ntf_') + 4 + (n % 26);
            body[at] = (body[at] ?? 0) === 0x37 ? 0x38 : 0x37;
          },
        }),
      'another version': (payload, nowMs, n) => signed(payload, nowMs, { version: `v${n + 2}` }),
      'no signature': (payload, nowMs) =>
        signed(payload, nowMs, {
          change: ({ headers }) => {
            headers['svix-signature'] = '';
          },
        }),
    },
    ageMsMax: 5 * 60_000,
    unproven: { apiKey },
  },
};

t.test('Resend is a relay', (t) => relayConformance(t, subject));

t.test('the stand-in of Resend', (t) =>
  relayStandInConformance(t, subject, async () => ({ ...config })),
);

t.test('a secret that is being replaced may sign beside the new one', async (t) => {
  const payload = cases['email.delivered']?.payload('x', acceptedMs);
  const old = signed(payload, acceptedMs, { secret: Buffer.from('the old key') });
  const now = signed(payload, acceptedMs);
  const both = [old, now].map(({ headers }) => headers['svix-signature']).join(' ');
  const call = { ...now, headers: { ...now.headers, 'svix-signature': both } };
  t.match(await readCall(subject, call), { state: 'read' });
});

t.test('a mail has its own idempotency key, the same at every try', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  const mail = aRelayMail();
  await account.send(mail);
  await account.send(mail);
  t.same(
    provider.calls.map(({ headers, path }) => [path, headers['idempotency-key']]),
    [
      ['/emails', mail.uuid],
      ['/emails', mail.uuid],
    ],
  );
});

t.test('the mails of one turn share a call; those with files go alone', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  provider.meet(({ body, path }, response) => {
    if (path === '/emails') return void response.writeHead(200).end('{"id":"1"}');
    const mails: { to: string[] }[] = JSON.parse(String(body));
    const isWrong = ({ to }: { to: string[] }) => to[0]?.startsWith('wrong') === true;
    const data = mails.filter((mail) => !isWrong(mail)).map(({ to }) => ({ id: `id-${to[0]}` }));
    const errors = mails.flatMap((mail, index) =>
      isWrong(mail) ? [{ index, message: 'Invalid `to` field.' }] : [],
    );
    response.writeHead(200).end(JSON.stringify({ data, errors }));
  });
  const file = { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('x') };
  const outcomes = await Promise.all([
    account.send(aRelayMail({ to: 'a@example.net' }, 1)),
    account.send(aRelayMail({ to: 'wrong@example.net' }, 2)),
    account.send(aRelayMail({ to: 'b@example.net' }, 3)),
    account.send(aRelayMail({ to: 'c@example.net', attachments: [file] }, 4)),
  ]);
  t.match(outcomes, [
    { outcome: 'accepted', providerMessageId: 'id-a@example.net' },
    { outcome: 'permanent', reason: 'bad_address' },
    { outcome: 'accepted', providerMessageId: 'id-b@example.net' },
    { outcome: 'accepted', providerMessageId: '1' },
  ]);
  t.same(provider.calls.map(({ path }) => path).sort(), ['/emails', '/emails/batch']);
  const batch = provider.calls.find(({ path }) => path === '/emails/batch');
  t.equal(batch?.headers['x-batch-validation'], 'permissive');
});

t.test('a mail that may have been taken goes alone, with its own key', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  const mail: RelayMail = { ...aRelayMail(), mayBeTaken: true };
  await Promise.all([account.send(mail), account.send(aRelayMail({}, 2))]);
  t.same(
    provider.calls.map(({ path, headers }) => [path, headers['idempotency-key']]).sort(),
    [
      ['/emails', mail.uuid],
      ['/emails', aRelayMail({}, 2).uuid],
    ].sort(),
  );
});

t.test('silence after a call for several is asked once more with its key', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  let calls = 0;
  provider.meet((_call, response) => {
    if (++calls === 1) response.destroy();
    else response.writeHead(200).end(JSON.stringify({ data: [{ id: '1' }, { id: '2' }] }));
  });
  const both = () =>
    Promise.all([1, 2].map((n) => account.send(aRelayMail({}, n), () => calls === 0)));
  t.match(await both(), [{ outcome: 'accepted' }, { outcome: 'accepted' }]);
  const [first, second] = provider.calls;
  t.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
  t.same(first?.body, second?.body);
  for (const [meet, reason] of [
    ['cut', 'connection_lost'],
    [{ status: 502 }, 'http_502'],
  ] as const) {
    calls = 0;
    const before = provider.calls.length;
    provider.meet(meet);
    t.match(await both(), [
      { outcome: 'ambiguous', reason },
      { outcome: 'ambiguous', reason },
    ]);
    t.equal(provider.calls.length - before, 2);
  }
});
