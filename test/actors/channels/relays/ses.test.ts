// Amazon SES: the conformance suite of relays, with SNS messages as its documents describe them, a
// certificate that the test made, and the published vector of AWS Signature Version 4.

import { sign } from 'node:crypto';
import t from 'tap';
import { ses } from '../../../../actors/channels/relays/ses/kind.ts';
import { sesService } from '../../../../actors/channels/relays/ses/provider.ts';
import { awsSigner } from '../../../../actors/channels/relays/ses/signature.ts';
import { snsCertificate } from '../../../../sandbox/ses/sns-certificate.ts';
import {
  aRelayMail,
  type CallParts,
  type RelaySubject,
  readCall,
  relayAccount,
  relayConformance,
  relayStandInConformance,
} from '../../../conformance/relay.ts';
import { certificate, expiredCertificate } from '../certificate.ts';
import { acceptedMs, type HttpBehavior } from '../stand-ins.ts';
import { messageOf } from './mail.ts';
import { otherRsaCertificate } from './sns-certificates.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail-events';
const host = 'https://sns.eu-west-1.amazonaws.com';
const certificateUrl = `${host}/SimpleNotificationService-0123456789abcdef.pem`;
const account = {
  region: 'eu-west-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  configurationSet: 'engage',
  topicArn,
};

const refused = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): HttpBehavior => ({
  status,
  headers: { 'x-amzn-errortype': type, 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ message }),
});
const notVerified =
  'Email address is not verified. The following identities failed the check in region EU-WEST-1: ';

interface SnsOptions {
  readonly key?: string;
  readonly version?: string;
  readonly url?: string;
  readonly change?: Record<string, string>;
  readonly after?: Record<string, string>;
}

/** A message of SNS, signed as its documents say. `change` before, `after` behind the signature. */
function snsCall(payload: unknown, nowMs: number, options: SnsOptions = {}): CallParts {
  const { key = snsCertificate.key, version = '2', url = certificateUrl, change, after } = options;
  const fields: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topicArn,
    Subject: 'Amazon SES Email Event Notification',
    Message: JSON.stringify(payload),
    Timestamp: new Date(nowMs).toISOString(),
    ...change,
  };
  const names =
    fields['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.map((name) => `${name}\n${fields[name]}\n`).join('');
  const signature = sign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256', Buffer.from(text), key);
  const body = JSON.stringify({
    ...fields,
    SignatureVersion: version,
    Signature: signature.toString('base64'),
    SigningCertURL: url,
    UnsubscribeURL: `${host}/?Action=Unsubscribe`,
    ...after,
  });
  return { headers: { 'x-amz-sns-message-type': fields['Type'] }, body: Buffer.from(body) };
}

const mailOf = (mark: string, atMs: number) => ({
  timestamp: new Date(atMs).toISOString(),
  source: 'Shop <shop@example.com>',
  messageId: '0100-1',
  destination: ['person@example.net'],
  headersTruncated: false,
  tags: { 'ses:operation': ['SendEmail'], engage: [mark], app: ['shop'] },
});
const at = (atMs: number) => new Date(atMs).toISOString();
const to = 'person@example.net';

/** An event with its part, by a destination of a configuration set. */
const event =
  (eventType: string, name: string, part: (at: string) => object) =>
  (mark: string, atMs: number) => ({ eventType, [name]: part(at(atMs)), mail: mailOf(mark, atMs) });

const bounce = (bounceType: string, bounceSubType: string, words = '550 5.1.1 user unknown') =>
  event('Bounce', 'bounce', (timestamp) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: [
      {
        emailAddress: `"A" <${to}>`,
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: `smtp; ${words}`,
      },
    ],
    timestamp,
    feedbackId: '0100-2',
  }));
const complaint = (more: object) =>
  event('Complaint', 'complaint', (timestamp) => ({
    complainedRecipients: [{ emailAddress: to }],
    timestamp,
    ...more,
  }));

const topicsOf = (...statuses: readonly string[]) => ({
  unsubscribeAll: false,
  topicSubscriptionStatus: statuses.map((subscriptionStatus, at) => ({
    topicName: `topic-${at}`,
    subscriptionStatus,
  })),
});

const cases: RelaySubject['events']['cases'] = {
  Send: { payload: event('Send', 'send', () => ({})), wanted: { kind: 'accepted', to } },
  Delivery: {
    payload: event('Delivery', 'delivery', (timestamp) => ({
      timestamp,
      recipients: [to],
      smtpResponse: '250 2.0.0 OK 1700000000',
    })),
    wanted: {
      kind: 'delivered',
      to,
      atMs: acceptedMs - 1_000,
      reply: { code: 250, enhanced: '2.0.0', text: 'OK 1700000000' },
    },
  },
  DeliveryDelay: {
    payload: event('DeliveryDelay', 'deliveryDelay', (timestamp) => ({
      timestamp,
      delayType: 'MailboxFull',
      delayedRecipients: [
        { emailAddress: to, status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 full' },
      ],
    })),
    wanted: {
      kind: 'deferred',
      to,
      detail: 'MailboxFull',
      reply: { code: 452, enhanced: '4.2.2', text: 'full' },
    },
  },
  'Bounce Permanent General': {
    payload: bounce('Permanent', 'General'),
    wanted: { kind: 'hard_bounce', to },
  },
  'Bounce Permanent NoEmail': {
    payload: bounce('Permanent', 'NoEmail'),
    wanted: {
      kind: 'hard_bounce',
      to,
      detail: 'Permanent NoEmail',
      reply: { code: 550, enhanced: '5.1.1', text: 'user unknown' },
    },
  },
  'Bounce Permanent Suppressed': {
    payload: bounce('Permanent', 'Suppressed'),
    wanted: { kind: 'dropped', list: 'bounces' },
  },
  'Bounce Permanent OnAccountSuppressionList': {
    payload: bounce('Permanent', 'OnAccountSuppressionList'),
    wanted: { kind: 'dropped', list: 'other' },
  },
  'Bounce Permanent UnsubscribedRecipient': {
    payload: bounce('Permanent', 'UnsubscribedRecipient'),
    wanted: { kind: 'dropped', list: 'unsubscribes' },
  },
  'Bounce Transient General': {
    payload: bounce('Transient', 'General'),
    wanted: { kind: 'soft_bounce' },
  },
  'Bounce Transient MailboxFull': {
    payload: bounce('Transient', 'MailboxFull', '452 4.2.2 full'),
    wanted: { kind: 'soft_bounce' },
  },
  'Bounce Transient MessageTooLarge': {
    payload: bounce('Transient', 'MessageTooLarge'),
    wanted: { kind: 'refused' },
  },
  'Bounce Transient ContentRejected': {
    payload: bounce('Transient', 'ContentRejected'),
    wanted: { kind: 'refused' },
  },
  'Bounce Transient AttachmentRejected': {
    payload: bounce('Transient', 'AttachmentRejected'),
    wanted: { kind: 'refused' },
  },
  'Bounce Undetermined': {
    payload: bounce('Undetermined', 'Undetermined'),
    wanted: { kind: 'soft_bounce' },
  },
  Complaint: {
    payload: complaint({ complaintFeedbackType: 'abuse' }),
    wanted: { kind: 'complained', to, detail: 'abuse' },
  },
  'Complaint not-spam': {
    payload: complaint({ complaintFeedbackType: 'not-spam' }),
    wanted: 'ignored',
  },
  'Complaint of the suppression list': {
    payload: complaint({ complaintSubType: 'OnAccountSuppressionList' }),
    wanted: { kind: 'dropped', list: 'complaints' },
  },
  Reject: {
    payload: event('Reject', 'reject', () => ({ reason: 'Bad content' })),
    wanted: { kind: 'refused', detail: 'Bad content' },
  },
  'Rendering Failure': {
    payload: event('Rendering Failure', 'failure', () => ({
      errorMessage: 'no name',
      templateName: 'x',
    })),
    wanted: { kind: 'refused', detail: 'no name' },
  },
  Open: {
    payload: event('Open', 'open', (timestamp) => ({
      timestamp,
      ipAddress: '192.0.2.1',
      userAgent: 'Mozilla/5.0',
    })),
    wanted: { kind: 'opened', userAgent: 'Mozilla/5.0' },
  },
  Click: {
    payload: event('Click', 'click', (timestamp) => ({
      timestamp,
      link: 'https://a.example/',
      userAgent: 'Mozilla/5.0',
    })),
    wanted: { kind: 'clicked', url: 'https://a.example/', userAgent: 'Mozilla/5.0' },
  },
  'a reader who leaves the list': {
    payload: event('Subscription', 'subscription', (timestamp) => ({
      timestamp,
      source: 'UnsubscribeHeader',
      newTopicPreferences: { unsubscribeAll: true, topicSubscriptionStatus: [] },
    })),
    wanted: { kind: 'unsubscribed', to },
  },
  'a reader who leaves a topic': {
    payload: event('Subscription', 'subscription', (timestamp) => ({
      timestamp,
      source: 'PreferenceCenter',
      newTopicPreferences: topicsOf('OptOut', 'OptOut'),
      oldTopicPreferences: topicsOf('OptOut', 'OptIn'),
    })),
    wanted: { kind: 'unsubscribed', to },
  },
  'a reader who comes back': {
    payload: event('Subscription', 'subscription', (timestamp) => ({
      timestamp,
      source: 'PreferenceCenter',
      newTopicPreferences: topicsOf('OptOut', 'OptIn'),
      oldTopicPreferences: topicsOf('OptOut', 'OptOut'),
    })),
    wanted: 'ignored',
  },
  'a notification of an identity, with headers': {
    payload: (mark, atMs) => {
      const [sendId = '', deviceId = ''] = mark.split('-');
      return {
        notificationType: 'Bounce',
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ emailAddress: to }],
          timestamp: at(atMs),
        },
        mail: {
          ...mailOf(mark, atMs),
          tags: undefined,
          headers: [
            { name: 'X-Engage-Send-Id', value: sendId },
            { name: 'X-Engage-Device-Id', value: deviceId },
          ],
        },
      };
    },
    wanted: { kind: 'hard_bounce', to },
  },
};

const certificates: Readonly<Record<string, string>> = {
  [certificateUrl]: snsCertificate.cert,
  [`${host}/ec.pem`]: certificate.cert,
  [`${host}/expired.pem`]: expiredCertificate.cert,
  [`${host}/other.pem`]: otherRsaCertificate.cert,
  [`${host}/page.pem`]: '<html>not a certificate</html>',
};

const subject: RelaySubject = {
  kind: 'ses',
  service: sesService,
  urlName: 'SES',
  config: account,
  secrets: [account.secretAccessKey, account.accessKeyId],
  accept: { status: 200, body: '{"MessageId":"0100018c-1"}' },
  outcomes: {
    'an answer without an id': [{ status: 200, body: '<html>' }, 'ambiguous', 'answer_unreadable'],
    'a sending rate that is exceeded': [
      refused(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'),
      'rate',
      'throttled',
    ],
    'a day that is used up': [
      refused(400, 'LimitExceededException', 'Daily message quota exceeded.'),
      'rate',
      'throttled',
    ],
    'a throttled account': [refused(400, 'Throttling', 'Rate exceeded'), 'rate', 'throttled'],
    'a suspended account': [
      refused(400, 'AccountSuspendedException', 'suspended'),
      'config',
      'relay_refused',
    ],
    'paused sending': [refused(400, 'SendingPausedException', 'paused'), 'config', 'relay_refused'],
    'an unknown configuration set': [
      refused(404, 'NotFoundException', 'Configuration set <engage> does not exist.'),
      'config',
      'relay_refused',
    ],
    'a sender that is not verified': [
      refused(400, 'MessageRejected', `${notVerified}shop@example.com`),
      'config',
      'sender_not_authenticated',
    ],
    'a recipient that the sandbox of SES lacks': [
      refused(400, 'MessageRejected', `${notVerified}person@example.net`),
      'permanent',
      'relaying_denied',
    ],
    'a MAIL FROM domain without records': [
      refused(400, 'MailFromDomainNotVerifiedException', 'no MX'),
      'config',
      'sender_not_authenticated',
    ],
    'a mail that is refused': [
      refused(400, 'MessageRejected', 'Email contains a virus'),
      'permanent',
      'refused',
    ],
    'an address that is none': [
      refused(400, 'BadRequestException', "Missing final '@domain'"),
      'permanent',
      'bad_address',
    ],
    'a request that is wrong': [
      refused(400, 'BadRequestException', 'EmailTags has a wrong value'),
      'permanent',
      'invalid_request',
    ],
    'a mail that is too large': [
      refused(400, 'BadRequestException', 'Message length is more than 41943040 bytes long'),
      'permanent',
      'message_too_large',
    ],
    'a key that is unknown': [
      refused(403, 'UnrecognizedClientException', 'The security token included is invalid.'),
      'config',
      'relay_authentication',
    ],
    'a key without the permission': [
      refused(403, 'AccessDeniedException', 'is not authorized to perform: ses:SendEmail'),
      'config',
      'relay_authentication',
    ],
    'a clock that is wrong': [
      refused(403, 'InvalidSignatureException', 'Signature expired: 2026 is now earlier'),
      'config',
      'clock_skewed',
    ],
    'an internal failure': [refused(500, 'InternalFailure', 'oops'), 'ambiguous', 'http_500'],
    'a service that is away': [refused(503, 'ServiceUnavailable', 'away'), 'retry', 'unavailable'],
    'an error by its body alone': [
      { status: 400, body: '{"__type":"com.amazon#SendingPausedException","message":"x"}' },
      'config',
      'relay_refused',
    ],
  },
  echo: refused(
    400,
    'MessageRejected',
    `no: ${account.secretAccessKey} ${account.accessKeyId} person@example.net`,
  ),
  markIn: ({ body }) => tagsIn(body)['engage'],
  recipientsIn: ({ body }) => {
    const { ToAddresses, CcAddresses, BccAddresses } = JSON.parse(body.toString()).Destination;
    return [...ToAddresses, ...CcAddresses, ...BccAddresses];
  },
  tags: {
    in: ({ body }) => valuesIn(tagsIn(body)),
    usual: ['cmp_1', 'marketing'],
    countMax: 49,
    charsMax: 256,
  },
  check: {
    works: { status: 200, body: '{"SendingEnabled":true,"ProductionAccessEnabled":true}' },
    refused: refused(403, 'UnrecognizedClientException', `no ${account.secretAccessKey}`),
  },
  events: {
    cases,
    ageMsMax: 2 * 3_600_000,
    unproven: { ...account, topicArn: undefined },
    fetchText: async (url) => certificates[url],
    call: (payload, nowMs) => snsCall(payload, nowMs, { version: nowMs % 2 === 0 ? '1' : '2' }),
    forgeries: {
      'the key of another certificate': (payload, nowMs) =>
        snsCall(payload, nowMs, { key: otherRsaCertificate.key }),
      "another host's certificate": (payload, nowMs, n) => {
        const hosts = [
          'https://sns.eu-west-1.amazonaws.com.evil.example',
          'https://evil.example/sns.eu-west-1.amazonaws.com',
          'https://sns.us-east-1.amazonaws.com',
          'https://sns.eu-west-1.amazonaws.com@evil.example',
          'https://sns.eu-west-1.amazonaws.com:8443',
          'http://sns.eu-west-1.amazonaws.com',
          'https://bucket.s3.eu-west-1.amazonaws.com',
          'https://sns-eu-west-1.amazonaws.com',
        ];
        const url = `${hosts[n % hosts.length]}/SimpleNotificationService-${n}.pem`;
        return snsCall(payload, nowMs, { key: otherRsaCertificate.key, url });
      },
      'a certificate that is not of SNS': (payload, nowMs, n) => {
        const names = ['ec', 'expired', 'other', 'page'];
        const key = otherRsaCertificate.key;
        return snsCall(payload, nowMs, { key, url: `${host}/${names[n % 4]}.pem` });
      },
      "another topic's name, signed by Amazon": (payload, nowMs, n) =>
        snsCall(payload, nowMs, {
          change: { TopicArn: `arn:aws:sns:eu-west-1:999999999999:topic-${n}` },
        }),
      'another message behind the signature': (payload, nowMs, n) =>
        snsCall(payload, nowMs, { after: { Message: JSON.stringify({ eventType: 'Bounce', n }) } }),
      'another time behind the signature': (payload, nowMs, n) =>
        snsCall(payload, nowMs, { after: { Timestamp: new Date(nowMs + n + 1).toISOString() } }),
      'a version that there is not': (payload, nowMs, n) =>
        snsCall(payload, nowMs, { after: { SignatureVersion: String(n + 3) } }),
    },
  },
};

function valuesIn({ engage: _, ...tags }: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(tags);
}

function tagsIn(body: Buffer): Readonly<Record<string, string>> {
  if (body.length === 0) return {};
  const tags: { Name: string; Value: string }[] = JSON.parse(body.toString()).EmailTags ?? [];
  return Object.fromEntries(tags.map(({ Name, Value }) => [Name, Value]));
}

void relayConformance(t, subject).then(() =>
  relayStandInConformance(t, subject, async () => ({
    region: 'us-east-1',
    accessKeyId: 'AKIASANDBOX000000000',
    secretAccessKey: 'sandbox-secret-access-key',
  })),
);

t.test('the published vector of Signature Version 4 is signed as published', async (t) => {
  // AWS General Reference, "get-vanilla" of the test suite, with our content type.
  const sign = awsSigner({
    region: 'us-east-1',
    service: 'ses',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  });
  const url = new URL('https://email.us-east-1.amazonaws.com/v2/email/outbound-emails');
  const at = Date.UTC(2015, 7, 30, 12, 36, 0);
  const headers = sign('POST', url, '{}', at);
  t.equal(headers['x-amz-date'], '20150830T123600Z');
  t.match(
    headers['authorization'],
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20150830\/us-east-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=b503625e599c445a22475858513d0eeea1be5207ca0536be15345410d08b51b1$/,
  );
  t.notSame(sign('POST', url, '{}', at + 86_400_000), headers, 'another day, another key');
  t.same(sign('POST', url, Buffer.from('{}'), at), headers, 'text and bytes, after another day');
});

t.test('the whole message goes without our signature, which SES would break', async (t) => {
  const { account: open, provider } = await relayAccount(t, subject, account);
  const mail = aRelayMail();
  const pieces = (as?: 'unsigned') => [
    ...(as === 'unsigned' ? [] : ['DKIM-Signature: v=1\r\n']),
    ...mail.pieces(),
  ];
  await open.send({ ...mail, pieces });
  const body = JSON.parse(String(provider.calls[0]?.body));
  t.equal(Buffer.from(body.Content.Raw.Data, 'base64').toString(), messageOf(mail));
  t.equal(body.ConfigurationSetName, 'engage');
});

t.test('a subscription is confirmed on the host of its topic, and nowhere else', async (t) => {
  const visited: string[] = [];
  const confirm = (SubscribeURL: string, change: Record<string, string> = {}) =>
    snsCall({}, acceptedMs, {
      change: { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL, ...change },
    });
  const own: RelaySubject = {
    ...subject,
    events: {
      ...subject.events,
      fetchText: async (url) => {
        if (url.endsWith('.pem')) return certificates[url];
        visited.push(url);
        return url.includes('Token=gone') ? undefined : '<ConfirmSubscriptionResponse/>';
      },
    },
  };
  const right = `${host}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`;
  t.same(await readCall(own, confirm(right)), { state: 'confirmed' });
  t.same(visited, [right]);
  for (const wrong of [
    'https://evil.example/',
    'http://169.254.169.254/latest',
    `${host}.evil.io/`,
  ]) {
    t.match(await readCall(own, confirm(wrong)), { state: 'refused' });
  }
  t.match(
    await readCall(own, confirm(right, { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:x' })),
    { state: 'refused', reason: 'signature' },
  );
  t.equal(visited.length, 1, 'no other address was visited');
  t.same(await readCall(own, confirm(`${right.slice(0, -1)}gone`)), { state: 'unavailable' });
  const left = confirm(right, { Type: 'UnsubscribeConfirmation' });
  t.match(await readCall(own, left), { state: 'read', events: [] }, 'never subscribed again');
});

t.test('a certificate that cannot be had now is asked for again', async (t) => {
  const url = `${host}/SimpleNotificationService-later.pem`;
  let pem: string | undefined;
  const own = {
    ...subject,
    events: { ...subject.events, fetchText: () => Promise.resolve(pem) },
  };
  const payload = subject.events.cases['Send']?.payload('x', acceptedMs);
  const call = snsCall(payload, acceptedMs, { url });
  t.same(await readCall(own, call), { state: 'unavailable' });
  pem = snsCertificate.cert;
  t.match(await readCall(own, call), { state: 'read' });
  pem = undefined;
  t.match(await readCall(own, call), { state: 'read' }, 'and is kept');
});

t.test('a stranger cannot make us fetch without end, and a burst fetches once', async (t) => {
  const laterMs = acceptedMs + 600_000;
  let fetched = 0;
  let pem: string | undefined = snsCertificate.cert;
  const own = {
    ...subject,
    events: {
      ...subject.events,
      fetchText: async () => {
        fetched++;
        await new Promise((resolve) => setImmediate(resolve));
        return pem;
      },
    },
  };
  const at = (name: string) => snsCall({}, laterMs, { url: `${host}/${name}.pem` });
  const burst = [1, 2, 3].map(() => readCall(own, at('burst'), laterMs));
  for (const read of await Promise.all(burst)) t.match(read, { state: 'read' });
  t.equal(fetched, 1);
  pem = undefined;
  for (let n = 0; n < 200; n++)
    t.same(await readCall(own, at(`none-${n}`), laterMs), { state: 'unavailable' });
  t.equal(fetched, 30);
  pem = snsCertificate.cert;
  const TopicArn = topicArn.replace('mail-events', 'of-somebody-else');
  const other = snsCall({}, laterMs, { url: `${host}/other-topic.pem`, change: { TopicArn } });
  const read = await readCall(own, other, laterMs, { ...account, topicArn: TopicArn });
  t.match(read, { state: 'read' }, 'another topic is not kept waiting');
});

t.test('an event of several recipients is one for each', async (t) => {
  const payload = event('Bounce', 'bounce', (timestamp) => ({
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'a@example.net' }, { emailAddress: 'b@example.net' }],
    timestamp,
  }))(aRelayMail().mark, acceptedMs);
  const read = await readCall(subject, snsCall(payload, acceptedMs));
  t.same(read.state === 'read' && read.events.map(({ to }) => to), [
    'a@example.net',
    'b@example.net',
  ]);
});

t.test('what SNS says of itself in words is ignored', async (t) => {
  const call = snsCall({}, acceptedMs, {
    change: { Message: 'Successfully validated SNS topic for Amazon SES event publishing.' },
  });
  t.same(await readCall(subject, call), { state: 'read', events: [], ignored: 1 });
});

t.test('a configuration is checked as it comes in', async (t) => {
  t.ok(ses.configSchema.safeParse(account).success);
  for (const wrong of [
    { region: 'europe' },
    { region: 'us-east-1.evil.example/' },
    { accessKeyId: 'short' },
    { topicArn: 'arn:aws:sqs:eu-west-1:123456789012:x' },
    { configurationSet: 'a b' },
  ])
    t.notOk(ses.configSchema.safeParse({ ...account, ...wrong }).success, JSON.stringify(wrong));
});
