// Mailgun: the conformance suite of relays, with webhooks signed as its documents say. Their
// signature does not cover the event, so what holds is that each token counts once.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { formBody } from '../../../../actors/channels/relays/mailgun/form-body.ts';
import { mailgun } from '../../../../actors/channels/relays/mailgun/kind.ts';
import { mailgunService } from '../../../../actors/channels/relays/mailgun/provider.ts';
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
import { messageOf } from './mail.ts';

const account = {
  apiKey: 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0',
  domain: 'mail.example.com',
  region: 'us',
  signingKey: 'webhook-signing-key-of-the-test',
};
const to = 'person@example.net';
const refused = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
): HttpBehavior => ({ status, headers, body: JSON.stringify({ message }) });

let tokens = 0;
interface SignedOptions {
  readonly key?: string;
  readonly token?: string;
  readonly after?: Record<string, string>;
}

function signed(
  payload: unknown,
  nowMs: number,
  { key = account.signingKey, token = `token-${++tokens}`, after }: SignedOptions = {},
): CallParts {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', key).update(timestamp).update(token).digest('hex');
  const body = { signature: { timestamp, token, signature, ...after }, 'event-data': payload };
  return { headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

const event =
  (name: string, more: object = {}) =>
  (mark: string, atMs: number) => ({
    id: 'CPgfbmQMTCKtHW6uIWtuVe',
    timestamp: atMs / 1000,
    'log-level': 'info',
    event: name,
    recipient: to,
    message: { headers: { 'message-id': '20130503182626.18666.16540@mail.example.com' } },
    'user-variables': { engage: mark, app: 'shop' },
    ...more,
  });
const failed = (severity: string, reason: string, code: number, more: object = {}) =>
  event('failed', {
    severity,
    reason,
    'delivery-status': { 'attempt-no': 1, code, message: 'user unknown', ...more },
  });
const client = { 'client-type': 'browser', 'client-os': 'Linux', 'user-agent': 'Mozilla/5.0' };

const cases: RelaySubject['events']['cases'] = {
  accepted: {
    payload: event('accepted'),
    wanted: { kind: 'accepted', to, atMs: acceptedMs - 1_000 },
  },
  delivered: {
    payload: event('delivered', {
      'delivery-status': { code: 250, message: 'OK', 'mx-host': 'mx.example.net' },
    }),
    wanted: { kind: 'delivered', to, reply: { code: 250, text: 'OK' } },
  },
  'failed for now': {
    payload: failed('temporary', 'generic', 421, { message: '4.7.0 later' }),
    wanted: { kind: 'deferred', reply: { code: 421, enhanced: '4.7.0', text: 'later' } },
  },
  'failed for good': {
    payload: failed('permanent', 'bounce', 550, { 'enhanced-code': '5.1.1' }),
    wanted: {
      kind: 'hard_bounce',
      to,
      detail: 'bounce',
      reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' },
    },
  },
  'failed for good, softly': {
    payload: failed('permanent', 'bounce', 552, { 'bounce-type': 'soft' }),
    wanted: { kind: 'soft_bounce' },
  },
  'failed after days': {
    payload: failed('permanent', 'old', 550),
    wanted: { kind: 'soft_bounce', detail: 'old' },
  },
  'failed without a server': {
    payload: failed('permanent', 'generic', 498),
    wanted: { kind: 'soft_bounce' },
  },
  'a blocked sender': {
    payload: failed('permanent', 'espblock', 550),
    wanted: { kind: 'refused' },
  },
  'suppressed: bounced': {
    payload: failed('permanent', 'suppress-bounce', 605),
    wanted: { kind: 'dropped', list: 'bounces' },
  },
  'suppressed: complained': {
    payload: failed('permanent', 'suppress-complaint', 607),
    wanted: { kind: 'dropped', list: 'complaints' },
  },
  'suppressed: unsubscribed': {
    payload: failed('permanent', 'suppress-unsubscribe', 606),
    wanted: { kind: 'dropped', list: 'unsubscribes' },
  },
  rejected: {
    payload: event('rejected', { reject: { reason: 'Suspicious' } }),
    wanted: { kind: 'refused', detail: 'Suspicious' },
  },
  complained: { payload: event('complained'), wanted: { kind: 'complained', to } },
  opened: {
    payload: event('opened', { 'client-info': client }),
    wanted: { kind: 'opened', userAgent: 'Mozilla/5.0' },
  },
  'opened by a machine': {
    payload: event('opened', { 'client-info': { ...client, bot: 'apple' } }),
    wanted: { kind: 'opened', byMachine: true },
  },
  clicked: {
    payload: event('clicked', { url: 'https://a.example/', 'client-info': client }),
    wanted: { kind: 'clicked', url: 'https://a.example/' },
  },
  unsubscribed: { payload: event('unsubscribed'), wanted: { kind: 'unsubscribed', to } },
  stored: { payload: event('stored'), wanted: 'ignored' },
};

const subject: RelaySubject = {
  kind: 'mailgun',
  service: mailgunService,
  urlName: 'MAILGUN',
  config: account,
  secrets: [account.apiKey, account.signingKey],
  accept: { status: 200, body: '{"id":"<1@mail.example.com>","message":"Queued. Thank you."}' },
  outcomes: {
    'an answer without an id': [{ status: 200, body: '<html>' }, 'ambiguous', 'answer_unreadable'],
    'a wrong address': [
      refused(400, 'to parameter is not a valid address. please check documentation'),
      'permanent',
      'bad_address',
    ],
    'a wrong request': [refused(400, 'message is missing'), 'permanent', 'invalid_request'],
    'a revoked key': [{ status: 401, body: 'Forbidden' }, 'config', 'relay_authentication'],
    'an unpaid account': [refused(402, 'Payment required'), 'config', 'relay_refused'],
    'a domain that may not send': [
      refused(403, 'Domain is not allowed to send'),
      'config',
      'relay_refused',
    ],
    'an hour that is used up': [
      refused(403, 'Domain mail.example.com is not allowed to send: recipient limit exceeded'),
      'rate',
      'throttled',
    ],
    'an unknown domain': [
      refused(404, 'Domain not found: mail.example.com'),
      'config',
      'relay_refused',
    ],
    'a mail that is too large': [refused(413, 'too large'), 'permanent', 'message_too_large'],
    'a 429': [refused(429, 'too many requests'), 'rate', 'throttled'],
    'a 500': [refused(500, 'oops'), 'ambiguous', 'http_500'],
    'a 503': [{ status: 503 }, 'retry', 'unavailable'],
  },
  echo: refused(400, `no: ${account.apiKey} ${account.signingKey} ${to}`),
  markIn: ({ body }) => /name="v:engage"\r\n\r\n(\S+)\r\n/.exec(body.toString())?.[1],
  recipientsIn: ({ body }) =>
    [...body.toString().matchAll(/name="to"\r\n\r\n(\S+)\r\n/g)].map(([, one = '']) => one),
  tags: {
    in: ({ body }) =>
      [...body.toString().matchAll(/name="o:tag"\r\n\r\n(.*)\r\n/g)].map(([, one = '']) => one),
    usual: ['cmp_1', 'marketing'],
    countMax: 3,
    charsMax: 128,
  },
  check: {
    works: refused(400, 'from parameter is missing'),
    refused: { status: 401, body: 'Forbidden' },
  },
  events: {
    cases,
    ageMsMax: 10 * 3_600_000,
    provesNoBody: true,
    unproven: { ...account, signingKey: undefined },
    call: (payload, nowMs) => signed(payload, nowMs),
    forgeries: {
      'another key': (payload, nowMs) => signed(payload, nowMs, { key: 'another signing key' }),
      'another token': (payload, nowMs, n) => signed(payload, nowMs, { after: { token: `t${n}` } }),
      'another time': (payload, nowMs, n) =>
        signed(payload, nowMs, { after: { timestamp: String(Math.floor(nowMs / 1000) + n + 1) } }),
      'no signature': (payload, nowMs) => signed(payload, nowMs, { after: { signature: '' } }),
      'a digit moved from the time to the token': (payload, nowMs, n) => {
        const timestamp = String(Math.floor(nowMs / 1000));
        const token = `moved-${n}`;
        return signed(payload, nowMs, {
          token,
          after: { timestamp: timestamp.slice(0, -1), token: `${timestamp.slice(-1)}${token}` },
        });
      },
    },
  },
};

void relayConformance(t, subject).then(() =>
  relayStandInConformance(t, subject, async () => ({
    apiKey: 'sandbox-api-key',
    domain: 'mail.example.com',
    region: 'us',
  })),
);

t.test('a call says which token proves which body', async (t) => {
  const payload = cases['failed for good']?.payload(aRelayMail().mark, acceptedMs);
  const call = signed(payload, acceptedMs, { token: 'captured' });
  const proofOf = async (parts: CallParts) => {
    const read = await readCall(subject, parts);
    return read.state === 'read' ? read.proof : undefined;
  };
  const proof = await proofOf(call);
  t.match(proof, { token: 'captured', bodyHash: /^[\w+/]{43}=$/ });
  t.same(await proofOf(call), proof, 'Mailgun may repeat its own call');
  const other = cases['failed for good']?.payload(aRelayMail({}, 2).mark, acceptedMs);
  const forged = await proofOf(signed(other, acceptedMs, { token: 'captured' }));
  t.equal(forged?.token, 'captured');
  t.not(forged?.bodyHash, proof?.bodyHash);
});

t.test('the key of the account proves what a subaccount tells', async (t) => {
  const payload = cases['delivered']?.payload(aRelayMail().mark, acceptedMs);
  const own = JSON.parse(String(signed(payload, acceptedMs).body)).signature.signature;
  const call = (parent: string, n: number) => {
    const token = `of-a-subaccount-${n}`;
    const { body } = signed(payload, acceptedMs, { token });
    const { signature } = JSON.parse(String(body)).signature;
    const after = { signature: own, 'parent-signature': parent || signature };
    return signed(payload, acceptedMs, { token, key: 'the key of the subaccount', after });
  };
  t.match(await readCall(subject, call('', 1)), { state: 'read', events: [{ kind: 'delivered' }] });
  t.match(await readCall(subject, call('0'.repeat(64), 2)), { state: 'refused' });
});

t.test('our whole message goes as it is, in a form that Node reads', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const mail = aRelayMail();
  await open.send(mail);
  const [call] = provider.calls;
  t.equal(call?.path, '/v3/mail.example.com/messages.mime');
  const type = String(call?.headers['content-type']);
  const form = await new Response(call?.body ?? '', {
    headers: { 'content-type': type },
  }).formData();
  const file = form.get('message');
  t.equal(typeof file === 'object' && file !== null && (await file.text()), messageOf(mail));
  t.equal(form.get('o:tracking'), 'no', 'links stay as they are');
  t.equal(form.get('v:app'), 'shop');
});

t.test('a form part that would break its line is a bug, not a request', async (t) => {
  t.throws(() => formBody([{ name: 'to', value: 'a\r\nb' }], 'x'));
  t.throws(() => formBody([{ name: 'a"b', value: 'x' }], 'x'));
});

t.test('a configuration is checked as it comes in', async (t) => {
  t.ok(mailgun.configSchema.safeParse(account).success);
  for (const wrong of [
    { apiKey: 'short' },
    { domain: 'example.com/../x' },
    { domain: 'localhost' },
    { region: 'mars' },
    { signingKey: 'a' },
  ])
    t.notOk(
      mailgun.configSchema.safeParse({ ...account, ...wrong }).success,
      JSON.stringify(wrong),
    );
});
