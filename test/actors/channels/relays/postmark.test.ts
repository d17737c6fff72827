// Postmark: the conformance suite of relays, with its answers and webhooks as its documents show
// them.

import t from 'tap';
import { postmark } from '../../../../actors/channels/relays/postmark/kind.ts';
import { postmarkService } from '../../../../actors/channels/relays/postmark/provider.ts';
import {
  aRelayMail,
  type CallParts,
  type RelaySubject,
  relayAccount,
  relayConformance,
  relayStandInConformance,
} from '../../../conformance/relay.ts';
import type { HttpBehavior } from '../stand-ins.ts';

const serverToken = 'b2c1f7de-1234-4a5b-9abc-0123456789ab';
const eventsPassword = 'a-long-password-of-the-webhook';
const config = postmark.configSchema.parse({ serverToken, eventsPassword });
const to = 'person@example.net';

const ok = (Message = 'OK') => ({
  To: to,
  SubmittedAt: '2026-11-21T07:25:01.4178645-05:00',
  MessageID: '0a129aee-e1cd-480d-b08d-4f48548ff48d',
  ErrorCode: 0,
  Message,
});
const says = (status: number, ErrorCode: number, Message: string): HttpBehavior => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ErrorCode, Message }),
});

/** A call with the credentials of the webhook's address. */
function posted(payload: unknown, credentials = `engage:${eventsPassword}`): CallParts {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { headers: { authorization }, body: Buffer.from(JSON.stringify(payload)) };
}

const event =
  (RecordType: string, when: string, more: object) =>
  (mark: string, atMs: number): unknown => ({
    RecordType,
    ServerID: 23,
    MessageStream: 'outbound',
    MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
    Tag: 'welcome-email',
    Metadata: { engage: mark, app: 'shop' },
    // As Postmark writes it: seven digits after the point.
    [when]: new Date(atMs).toISOString().replace('Z', '9027Z'),
    ...more,
  });
const bounce = (Type: string, TypeCode: number, Details = '') =>
  event('Bounce', 'BouncedAt', {
    ...{ ID: 692560173, Type, TypeCode, Name: Type, Details, Email: to },
    ...{ Description: 'About it.', From: 'shop@example.com', DumpAvailable: true, Inactive: true },
  });
const reader = { Recipient: to, UserAgent: 'Mozilla/5.0', Platform: 'WebMail' };
const change = (SuppressionReason: string | null, SuppressSending = true, Origin = 'Recipient') =>
  event('SubscriptionChange', 'ChangedAt', {
    ...{ Recipient: to, Origin, SuppressSending, SuppressionReason },
  });

const cases: RelaySubject['events']['cases'] = {
  Delivery: {
    payload: event('Delivery', 'DeliveredAt', { Recipient: to, Details: 'smtp;250 2.0.0 OK 17' }),
    wanted: { kind: 'delivered', to, reply: { code: 250, enhanced: '2.0.0', text: 'OK 17' } },
  },
  HardBounce: {
    payload: bounce('HardBounce', 1, 'smtp;550 5.1.1 The email account does not exist'),
    wanted: {
      ...{ kind: 'hard_bounce', to },
      reply: { code: 550, enhanced: '5.1.1', text: 'The email account does not exist' },
    },
  },
  BadEmailAddress: { payload: bounce('BadEmailAddress', 100_000), wanted: { kind: 'hard_bounce' } },
  Transient: { payload: bounce('Transient', 2), wanted: { kind: 'deferred' } },
  SoftBounce: {
    payload: bounce('SoftBounce', 4096, 'smtp;452 4.2.2 full'),
    wanted: { kind: 'soft_bounce', reply: { code: 452, enhanced: '4.2.2', text: 'full' } },
  },
  DnsError: { payload: bounce('DnsError', 256), wanted: { kind: 'soft_bounce' } },
  Unknown: { payload: bounce('Unknown', 2048), wanted: { kind: 'soft_bounce' } },
  SpamNotification: { payload: bounce('SpamNotification', 512), wanted: { kind: 'refused' } },
  Blocked: { payload: bounce('Blocked', 100_006), wanted: { kind: 'refused' } },
  VirusNotification: { payload: bounce('VirusNotification', 8192), wanted: { kind: 'refused' } },
  DMARCPolicy: { payload: bounce('DMARCPolicy', 100_009), wanted: { kind: 'refused' } },
  ManuallyDeactivated: {
    payload: bounce('ManuallyDeactivated', 100_002),
    wanted: { kind: 'dropped', list: 'other' },
  },
  AutoResponder: { payload: bounce('AutoResponder', 64), wanted: 'ignored' },
  AddressChange: { payload: bounce('AddressChange', 128), wanted: 'ignored' },
  SpamComplaint: {
    payload: event('SpamComplaint', 'BouncedAt', { Type: 'SpamComplaint', Email: to }),
    wanted: { kind: 'complained', to },
  },
  'a suppression after a bounce': {
    payload: change('HardBounce'),
    wanted: { kind: 'hard_bounce', to },
  },
  'a suppression after a complaint': {
    payload: change('SpamComplaint'),
    wanted: { kind: 'complained', to },
  },
  'a suppression by its recipient': {
    payload: change('ManualSuppression'),
    wanted: { kind: 'unsubscribed', to },
  },
  'a suppression by hand': {
    payload: change('ManualSuppression', true, 'Customer'),
    wanted: 'ignored',
  },
  'a reactivation': { payload: change(null, false), wanted: 'ignored' },
  Open: {
    payload: event('Open', 'ReceivedAt', { ...reader, FirstOpen: true }),
    wanted: { kind: 'opened', to, userAgent: 'Mozilla/5.0' },
  },
  Click: {
    payload: event('Click', 'ReceivedAt', { ...reader, OriginalLink: 'https://example.com/a' }),
    wanted: { kind: 'clicked', url: 'https://example.com/a', userAgent: 'Mozilla/5.0' },
  },
};

const subject: RelaySubject = {
  kind: 'postmark',
  service: postmarkService,
  urlName: 'POSTMARK',
  config,
  secrets: [serverToken, eventsPassword],
  accept: { status: 200, body: JSON.stringify(ok()) },
  outcomes: {
    'an inactive recipient': [
      says(422, 406, `Found inactive addresses: ${to}. Inactive recipients are …`),
      'permanent',
      'dropped',
    ],
    'an inactive recipient whose copies go out': [
      {
        status: 200,
        body: JSON.stringify(
          ok(`Message OK, but will not deliver to these inactive addresses: ${to}`),
        ),
      },
      'permanent',
      'dropped',
    ],
    'a bad address': [says(422, 300, "Invalid 'To' address: 'x'."), 'permanent', 'bad_address'],
    'a bad sender': [
      says(422, 300, "Invalid 'From' address: 'x'."),
      'config',
      'sender_not_authenticated',
    ],
    'a bad request': [says(422, 402, 'Received invalid JSON.'), 'permanent', 'invalid_request'],
    'no sender signature': [
      says(422, 400, "The 'From' address is not a Sender Signature."),
      'config',
      'sender_not_authenticated',
    ],
    'no credits': [says(422, 405, 'Not allowed to send.'), 'config', 'relay_refused'],
    'an account that is not approved': [says(422, 412, 'Pending.'), 'config', 'relay_refused'],
    'an unknown stream': [says(422, 1235, 'No such MessageStream.'), 'config', 'relay_refused'],
    'a forbidden file': [says(422, 411, 'Forbidden file type.'), 'permanent', 'content_refused'],
    'a revoked token': [says(401, 10, 'Bad or missing token.'), 'config', 'relay_authentication'],
    'too many calls': [says(429, 429, 'Rate limit exceeded.'), 'rate', 'throttled'],
    'a large mail': [says(413, 0, 'Too large.'), 'permanent', 'message_too_large'],
    'an internal error': [says(500, 0, 'Oops.'), 'ambiguous', 'http_500'],
    maintenance: [says(503, 100, 'Maintenance.'), 'retry', 'unavailable'],
    'an answer that is no answer': [
      { status: 200, body: '<html>' },
      'ambiguous',
      'answer_unreadable',
    ],
  },
  echo: says(422, 402, `no: ${serverToken} for ${to}`),
  markIn: ({ body }) => {
    const parsed = body.length === 0 ? {} : JSON.parse(String(body));
    return (Array.isArray(parsed) ? parsed[0] : parsed).Metadata?.engage;
  },
  recipientsIn: ({ body }) => {
    const { To, Cc, Bcc } = JSON.parse(String(body));
    return [To, Cc, Bcc].join(',').split(',');
  },
  tags: {
    in: ({ body }) => [JSON.parse(String(body)).Tag ?? []].flat(),
    usual: ['cmp_1'],
    countMax: 1,
    charsMax: 1_000,
  },
  check: {
    works: { status: 200, body: '{"ID":1,"Name":"Shop"}' },
    refused: says(401, 10, `Bad token ${serverToken}`),
  },
  events: {
    cases,
    call: (payload) => posted(payload),
    forgeries: {
      'another password': (payload, _, n) => posted(payload, `engage:${eventsPassword}${n}`),
      'a part of the password': (payload, _, n) =>
        posted(payload, `engage:${eventsPassword.slice(0, n % eventsPassword.length)}`),
      'the password as user': (payload, _, n) => posted(payload, `${eventsPassword}:${n}`),
      'an altered byte of it': (payload, _, n) => {
        const bytes = Buffer.from(eventsPassword);
        const at = n % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 + (n % 7));
        return posted(payload, `engage:${bytes}`);
      },
      'no credentials': (payload) => ({ ...posted(payload), headers: {} }),
    },
    ageMsMax: 3 * 86_400_000,
    provesNoBody: true,
    unsaid: ['accepted'],
    unproven: { serverToken },
  },
};

t.test('Postmark is a relay', (t) => relayConformance(t, subject));

t.test('the stand-in of Postmark', (t) =>
  relayStandInConformance(t, subject, async () => ({ ...config })),
);

t.test('each stream of ours has a message stream, and nothing is tracked', async (t) => {
  const streams = { transactionalStream: 'receipts', marketingStream: 'news' };
  const { account, provider } = await relayAccount(t, subject, { ...config, ...streams });
  await account.send(aRelayMail());
  await account.send({ ...aRelayMail({}, 2), stream: 'marketing' });
  const bodies = provider.calls.map(({ body }) => JSON.parse(String(body)));
  t.match(bodies, [
    { MessageStream: 'receipts', TrackOpens: false, TrackLinks: 'None' },
    { MessageStream: 'news' },
  ]);
  t.equal(provider.calls[0]?.headers['x-postmark-server-token'], serverToken);
});

t.test('the mails of one turn share a call, and each gets its own answer', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  provider.meet(({ body }, response) => {
    const mails: { To: string }[] | { To: string } = JSON.parse(String(body));
    const answer = ({ To }: { To: string }) =>
      To.startsWith('gone') ? { ErrorCode: 406, Message: 'inactive' } : ok();
    const answers = Array.isArray(mails) ? mails.map(answer) : answer(mails);
    response.writeHead(200).end(JSON.stringify(answers));
  });
  const names = ['a', 'gone', 'b'];
  const mails = names.map((name, n) => aRelayMail({ to: `${name}@example.net` }, n + 1));
  const outcomes = await Promise.all(mails.map((mail) => account.send(mail)));
  t.same(
    outcomes.map(({ outcome }) => outcome),
    ['accepted', 'permanent', 'accepted'],
  );
  t.same(
    provider.calls.map(({ path }) => path),
    ['/email/batch'],
  );
  const many = Array.from({ length: 501 }, (_, n) => aRelayMail({}, n + 1));
  await Promise.all(many.map((mail) => account.send(mail)));
  t.equal(provider.calls.length, 3, '500 in one call');
});

t.test('names, answers, headers, files and copies go along', async (t) => {
  const { account, provider } = await relayAccount(t, subject, config);
  await account.send(
    aRelayMail({
      fromName: 'Shop, "Inc."',
      replyTo: 'help@example.com',
      cc: [to.toUpperCase(), 'c@example.net'],
      headers: [['List-Unsubscribe', '<https://example.com/u>']],
      attachments: [
        { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('x') },
        { filename: 'b.png', contentType: 'image/png', content: Buffer.from('y'), cid: 'logo' },
      ],
    }),
  );
  t.match(JSON.parse(String(provider.calls[0]?.body)), {
    From: '"Shop, \\"Inc.\\"" <shop@example.com>',
    ReplyTo: 'help@example.com',
    Cc: 'c@example.net',
    Headers: [{ Name: 'List-Unsubscribe', Value: '<https://example.com/u>' }],
    Attachments: [
      { Name: 'a.pdf', Content: 'eA==', ContentType: 'application/pdf' },
      { ContentID: 'cid:logo' },
    ],
  });
});
