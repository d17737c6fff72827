// Brevo: the conformance suite of relays, with its answers and webhooks as its documents show them.

import t from 'tap';
import { brevo } from '../../../../actors/channels/relays/brevo/kind.ts';
import { brevoService } from '../../../../actors/channels/relays/brevo/provider.ts';
import {
  aRelayMail,
  type CallParts,
  type RelaySubject,
  readCall,
  relayAccount,
  relayConformance,
  relayStandInConformance,
} from '../../../conformance/relay.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { acceptedMs, type HttpBehavior } from '../stand-ins.ts';

const apiKey = 'xkeysib-0123456789abcdef0123456789abcdef-AbCdEfGh';
const eventsToken = 'a-long-token-of-the-webhook';
const config = brevo.configSchema.parse({ apiKey, eventsToken });
const to = 'person@example.net';

const says = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): HttpBehavior => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ code, message }),
});

function posted(payload: unknown, authorization = `Bearer ${eventsToken}`): CallParts {
  return { headers: { authorization }, body: Buffer.from(JSON.stringify(payload)) };
}

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

const event =
  (name: string, more: object = {}) =>
  (mark: string, atMs: number): unknown => ({
    event: name,
    email: to,
    id: 26224,
    // In the time zone of Paris.
    date: new Date(atMs + 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    ts: Math.floor(atMs / 1000),
    'message-id': '<202611211200.12345@smtp-relay.mailin.fr>',
    ts_event: Math.floor(atMs / 1000),
    subject: 'Your order',
    'X-Mailin-custom': mark,
    sending_ip: '185.41.28.109',
    ts_epoch: 1_604_933_654,
    template_id: 22,
    tags: ['transac_messages'],
    ...more,
  });

const cases: RelaySubject['events']['cases'] = {
  request: {
    payload: event('request'),
    wanted: { kind: 'accepted', to, atMs: acceptedMs - 1_000 },
  },
  delivered: { payload: event('delivered'), wanted: { kind: 'delivered', to } },
  soft_bounce: {
    payload: event('soft_bounce', { reason: '452 4.2.2 Mailbox full' }),
    wanted: { kind: 'soft_bounce', reply: { code: 452, enhanced: '4.2.2', text: 'Mailbox full' } },
  },
  hard_bounce: {
    payload: event('hard_bounce', { reason: '550 5.1.1 user unknown' }),
    wanted: {
      ...{ kind: 'hard_bounce', detail: '550 5.1.1 user unknown' },
      reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' },
    },
  },
  spam: { payload: event('spam'), wanted: { kind: 'complained', to } },
  blocked: {
    payload: event('blocked', { reason: 'blocked : due to blacklist user' }),
    wanted: { kind: 'dropped', list: 'other' },
  },
  'blocked after an unsubscribe': {
    payload: event('blocked', { reason: 'blocked : unsubscribed user' }),
    wanted: { kind: 'dropped', list: 'unsubscribes' },
  },
  invalid_email: {
    payload: event('invalid_email'),
    wanted: { kind: 'dropped', list: 'other', detail: 'invalid_email' },
  },
  deferred: {
    payload: event('deferred', { reason: '451 4.7.1 Greylisted' }),
    wanted: { kind: 'deferred', reply: { code: 451, enhanced: '4.7.1', text: 'Greylisted' } },
  },
  error: { payload: event('error', { reason: 'no DKIM' }), wanted: { kind: 'refused' } },
  opened: {
    payload: event('opened', { user_agent: 'Mozilla/5.0' }),
    wanted: { kind: 'opened', userAgent: 'Mozilla/5.0' },
  },
  unique_opened: { payload: event('unique_opened'), wanted: { kind: 'opened' } },
  proxy_open: { payload: event('proxy_open'), wanted: { kind: 'opened', byMachine: true } },
  unique_proxy_open: {
    payload: event('unique_proxy_open'),
    wanted: { kind: 'opened', byMachine: true },
  },
  click: {
    payload: event('click', { link: 'https://example.com/a' }),
    wanted: { kind: 'clicked', url: 'https://example.com/a' },
  },
  unsubscribed: { payload: event('unsubscribed'), wanted: { kind: 'unsubscribed', to } },
  list_addition: { payload: event('list_addition'), wanted: 'ignored' },
};

const subject: RelaySubject = {
  kind: 'brevo',
  service: brevoService,
  urlName: 'BREVO',
  config,
  secrets: [apiKey, eventsToken],
  accept: { status: 201, body: '{"messageId":"<202611211200.1@smtp-relay.mailin.fr>"}' },
  outcomes: {
    'a bad address': [
      says(400, 'invalid_parameter', 'email is not valid in to'),
      'permanent',
      'bad_address',
    ],
    'a bad request': [
      says(400, 'missing_parameter', 'subject is missing'),
      'permanent',
      'invalid_request',
    ],
    'a sender that is not verified': [
      says(400, 'invalid_parameter', 'the sender you used shop@example.com is not valid'),
      'config',
      'sender_not_authenticated',
    ],
    'a revoked key': [says(401, 'unauthorized', 'Key not found'), 'config', 'relay_authentication'],
    'no credits': [says(402, 'not_enough_credits', 'No credits'), 'config', 'relay_refused'],
    'an account under validation': [
      says(403, 'account_under_validation', 'Wait.'),
      'config',
      'relay_refused',
    ],
    'a forbidden call': [says(403, 'permission_denied', 'No.'), 'config', 'relay_authentication'],
    'too many calls': [
      says(429, 'too_many_requests', 'Slow down', { 'x-sib-ratelimit-reset': '30' }),
      'rate',
      'throttled',
    ],
    'a large mail': [says(413, '', 'Too large.'), 'permanent', 'message_too_large'],
    'an internal error': [says(500, 'internal', 'Oops.'), 'ambiguous', 'http_500'],
    'an answer that is no answer': [
      { status: 201, body: '<html>' },
      'ambiguous',
      'answer_unreadable',
    ],
  },
  echo: says(400, 'invalid_parameter', `no: ${apiKey} for ${to}`),
  markIn: ({ body }) =>
    (body.length === 0 ? {} : JSON.parse(String(body))).headers?.['X-Mailin-custom'],
  recipientsIn: ({ body }) => {
    const { to, cc = [], bcc = [] } = JSON.parse(String(body));
    return [...to, ...cc, ...bcc].map(({ email }) => email);
  },
  tags: {
    in: ({ body }) => JSON.parse(String(body)).tags ?? [],
    usual: ['cmp_1', 'marketing'],
    countMax: 10,
    charsMax: 100,
  },
  check: {
    works: { status: 200, body: '{"email":"shop@example.com","plan":[]}' },
    refused: says(401, 'unauthorized', `Key not found: ${apiKey}`),
  },
  events: {
    cases,
    call: (payload) => posted(payload),
    forgeries: {
      'another token': (payload, _, n) => posted(payload, `Bearer ${eventsToken}${n}`),
      'a part of the token': (payload, _, n) =>
        posted(payload, `Bearer ${eventsToken.slice(0, n % eventsToken.length)}`),
      'an altered byte of it': (payload, _, n) => {
        const bytes = Buffer.from(eventsToken);
        const at = n % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 + (n % 7));
        return posted(payload, `Bearer ${bytes}`);
      },
      'another password': (payload, _, n) => posted(payload, basic(`engage:${eventsToken}${n}`)),
      'the token in another scheme': (payload, _, n) => posted(payload, `Token${n} ${eventsToken}`),
      'no token': (payload) => ({ ...posted(payload), headers: {} }),
    },
    ageMsMax: 3 * 86_400_000,
    provesNoBody: true,
    unproven: { apiKey },
  },
};

t.test('Brevo is a relay', (t) => relayConformance(t, subject));

t.test('the stand-in of Brevo', (t) =>
  relayStandInConformance(t, subject, async () => ({ ...config })),
);

t.test('the token may be the password of the address', async (t) => {
  const payload = cases['delivered']?.payload('x', acceptedMs);
  const call = posted(payload, basic(`engage:${eventsToken}`));
  t.match(await readCall(subject, call), { state: 'read', ignored: 1 });
});

t.test('events come in lists too, and only the old ones of a list are left out', async (t) => {
  const { sendId, deviceId } = {
    sendId: 'ntf_00000000000000000000000001',
    deviceId: 'dev_00000000000000000000000001',
  };
  const mark = `${sendId}-${deviceId}`;
  const list = [
    cases['delivered']?.payload(mark, acceptedMs - 5_000),
    event('list_addition')(mark, acceptedMs),
    cases['spam']?.payload(mark, acceptedMs - 4 * 86_400_000),
  ];
  const read = await readCall(subject, posted(list));
  t.match(read, { state: 'read', events: [{ kind: 'delivered', sendId, deviceId }], ignored: 2 });
});

t.test('a key that Brevo knows is that of a mail that it has taken', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  const mail = aRelayMail();
  provider.meet(says(400, 'duplicate_parameter', 'idempotencyKey is duplicate'));
  t.match(await account.send(mail), { outcome: 'accepted' });
  t.match(JSON.parse(String(provider.calls[0]?.body)), { headers: { idempotencyKey: mail.uuid } });
});

t.test('a mail that was taken in silence is not sent twice', async (t) => {
  const rig = await withSandbox(t);
  const url = rig.providerUrls['BREVO'] ?? '';
  const { account } = await relayAccount(t, subject, config, { url, timeoutMs: 2_000 });
  const mail = aRelayMail({ to: 'taken@example.net' });
  t.match(await account.send(mail), { outcome: 'ambiguous' });
  t.match(await account.send(mail), { outcome: 'accepted' });
  const { outcome } = (await rig.messages('?channel=brevo'))[0];
  t.equal(outcome, 'unanswered');
  t.equal((await rig.messages('?channel=brevo')).length, 1);
});

t.test('tags, files and the sender’s name go along', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  const file = { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('x') };
  await account.send(aRelayMail({ replyTo: 'help@example.com', attachments: [file] }));
  t.match(JSON.parse(String(provider.calls[0]?.body)), {
    sender: { email: 'shop@example.com', name: 'Shop' },
    replyTo: { email: 'help@example.com' },
    tags: ['shop'],
    attachment: [{ name: 'a.pdf', content: 'eA==' }],
  });
  await account.send(aRelayMail({ fromName: 'x'.repeat(71) }, 2));
  t.equal(JSON.parse(String(provider.calls[1]?.body)).sender.name, 'x'.repeat(70));
});
