// Stand-in for Amazon SES (API version 2) and its part of Amazon SNS: takes whole messages, refuses
// by the recipient's name, and reports what became of them once its topic's subscription is
// confirmed. `<SES>/sns/<region>` stands for `https://sns.<region>.amazonaws.com`.

import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import { parseJson } from '../json.ts';
import { rawMail } from '../relay/raw-mail.ts';
import { faultyFirst } from '../relay/relay-faults.ts';
import type { RelayReports } from '../relay/relay-reports.ts';
import { relayStandIn, retryAfter } from '../relay/relay-stand-in.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { AwsSignatures } from './aws-signature.ts';
import { certificatePath, sesSpeech } from './ses-reports.ts';
import { snsCertificate } from './sns-certificate.ts';

const mount = '/ses';
/** 40 MB in base64. */
const bodyBytesMax = 56 * 1024 * 1024;
const tokensMax = 1_000;
const tagPattern = /^[\w.@-]{1,256}$/;

const addresses = z.array(z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)).max(50);
const mailCall = z.object({
  Destination: z.object({
    ToAddresses: addresses.min(1),
    CcAddresses: addresses.optional(),
    BccAddresses: addresses.optional(),
  }),
  Content: z.object({ Raw: z.object({ Data: z.base64() }) }),
  EmailTags: z
    .array(z.object({ Name: z.string().regex(tagPattern), Value: z.string().regex(tagPattern) }))
    .max(50)
    .optional(),
  ConfigurationSetName: z.string().optional(),
});

export function sesStandIn(world: World): HttpStandIn {
  const confirmed = new Set<string>();
  const signatures = new AwsSignatures();
  return relayStandIn(world, {
    channel: 'ses',
    label: 'Amazon SES',
    ...{ bodyBytesMax, speech: sesSpeech((token) => confirmed.has(token)), refusal },
    controls: [keyControl(signatures)],
    receive(received, reports, serial) {
      if (received.path.startsWith('/sns/')) return { answer: snsAnswer(received, confirmed) };
      const signed = signatures.check(received, mount);
      if ('type' in signed) return { answer: refused(403, signed.type, signed.message) };
      if (received.method === 'GET' && received.path === '/v2/email/account')
        return { answer: jsonAnswer(200, account) };
      if (received.method !== 'POST' || received.path !== '/v2/email/outbound-emails')
        return { answer: refused(404, 'UnknownOperationException', 'no such operation') };
      const messageId = `0100${String(serial).padStart(12, '0')}-sandbox-000000`;
      return mailVerdict(received, messageId, signed.accessKeyId, reports, world);
    },
  });
}

const account = {
  DedicatedIpAutoWarmupEnabled: false,
  EnforcementStatus: 'HEALTHY',
  ProductionAccessEnabled: true,
  SendingEnabled: true,
  SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 },
};

function mailVerdict(
  { body }: Received,
  messageId: string,
  accessKeyId: string,
  reports: RelayReports,
  world: World,
): Verdict {
  const parsed = mailCall.safeParse(parseJson(body.toString()));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const problem = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'missing'}`;
    return { answer: refused(400, 'BadRequestException', problem) };
  }
  const { Destination, Content, EmailTags = [] } = parsed.data;
  const { ToAddresses, CcAddresses = [], BccAddresses = [] } = Destination;
  const everybody = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  const { message, ...own } = rawMail(Buffer.from(Content.Raw.Data, 'base64'), world);
  if (own.from === '')
    return { answer: refused(400, 'BadRequestException', "Missing required header 'From'.") };
  const to = faultyFirst(everybody);
  const echoed = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
  const mail = { ...own, account: accessKeyId, messageId, echoed };
  return {
    answer: jsonAnswer(200, { MessageId: messageId }),
    to,
    name: to,
    message,
    taken: () => reports.taken(everybody.map((one) => ({ ...mail, to: one }))),
  };
}

/** The signing certificate, and the visit that confirms a subscription. */
function snsAnswer({ method, path, query }: Received, confirmed: Set<string>): StandInResponse {
  const below = path.replace(/^\/sns\/[a-z\d-]+/, '');
  if (method === 'GET' && below === certificatePath) {
    const headers = { 'content-type': 'application/x-pem-file' };
    return { status: 200, headers, body: snsCertificate.cert };
  }
  const asked = new URLSearchParams(query);
  const token = asked.get('Token');
  if (method !== 'GET' || asked.get('Action') !== 'ConfirmSubscription' || token === null)
    return { status: 400, headers: { 'content-type': 'text/xml' }, body: '<ErrorResponse/>' };
  if (confirmed.size >= tokensMax) confirmed.clear();
  confirmed.add(token);
  const body = `<ConfirmSubscriptionResponse><ConfirmSubscriptionResult><SubscriptionArn>${asked.get('TopicArn')}:0</SubscriptionArn></ConfirmSubscriptionResult></ConfirmSubscriptionResponse>`;
  return { status: 200, headers: { 'content-type': 'text/xml' }, body };
}

function refused(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(status, { message }, { 'x-amzn-errortype': type, ...headers });
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const headers = retryAfter(retryAfterSeconds);
  switch (status) {
    case 401:
    case 403:
      return refused(403, 'UnrecognizedClientException', 'The security token is invalid.', headers);
    case 429:
      return refused(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.', headers);
    default:
      return refused(status, status < 500 ? 'BadRequestException' : 'InternalFailure', 'on demand');
  }
}

const newKey = z.strictObject({
  accessKeyId: z.string().regex(/^[A-Z\d]{16,128}$/, 'must be an access key id'),
  secretAccessKey: z.string().min(8).max(256),
});

function keyControl(signatures: AwsSignatures): ControlRoute {
  return {
    method: 'POST',
    path: '/ses/keys',
    about: '{accessKeyId, secretAccessKey}: from then on the signatures of this key are verified.',
    handle({ body }) {
      const parsed = parseControl(newKey, body);
      if ('refusal' in parsed) return parsed.refusal;
      signatures.learn(parsed.value.accessKeyId, parsed.value.secretAccessKey);
      return ok({ accessKeyId: parsed.value.accessKeyId });
    },
  };
}
