// Stand-in for Brevo (API version 3): one mail a call, with idempotency keys. Refuses what Brevo
// refuses, and by the recipient's name.

import { z } from 'zod';
import { parseJson } from '../json.ts';
import { addressPattern, type JsonMail } from '../relay/json-mail.ts';
import { jsonVerdict } from '../relay/json-verdict.ts';
import type { RelayReports } from '../relay/relay-reports.ts';
import { relayStandIn } from '../relay/relay-stand-in.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { brevoSpeech, customName } from './brevo-reports.ts';

const bodyBytesMax = 20 * 1024 * 1024;
const keysMax = 10_000;

const person = z.strictObject({
  email: z.string().regex(addressPattern, 'email is not valid'),
  name: z.string().max(70).optional(),
});
const people = z.array(person).min(1).max(99);
const mailCall = z.strictObject({
  sender: person,
  to: people,
  cc: people.optional(),
  bcc: people.optional(),
  replyTo: person.optional(),
  subject: z.string().min(1),
  textContent: z.string().optional(),
  htmlContent: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z.array(z.string()).optional(),
  attachment: z
    .array(z.strictObject({ name: z.string().regex(/\.\w{2,5}$/), content: z.base64() }))
    .optional(),
});
type MailCall = z.infer<typeof mailCall>;

export function brevoStandIn(world: World): HttpStandIn {
  const keys = new Set<string>();
  return relayStandIn(world, {
    channel: 'brevo',
    label: 'Brevo',
    ...{ bodyBytesMax, speech: brevoSpeech, refusal },
    receive(received, reports, serial) {
      const account = received.headers['api-key'];
      if (typeof account !== 'string' || account.startsWith('xkeysib-revoked'))
        return { answer: refused(401, 'unauthorized', 'Key not found') };
      if (received.method === 'GET' && received.path === '/v3/account')
        return { answer: jsonAnswer(200, { email: 'sandbox@example.com', plan: [] }) };
      if (received.method !== 'POST' || received.path !== '/v3/smtp/email')
        return { answer: refused(404, 'document_not_found', 'not found') };
      const messageId = `<${String(serial).padStart(12, '0')}@smtp-relay.sandbox>`;
      return verdictOf(received, { account, messageId, keys, reports });
    },
  });
}

function verdictOf(
  { body }: Received,
  {
    account,
    messageId,
    keys,
    reports,
  }: {
    readonly account: string;
    readonly messageId: string;
    readonly keys: Set<string>;
    readonly reports: RelayReports;
  },
): Verdict {
  const parsed = mailCall.safeParse(parseJson(body.toString()));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const words = `${issue?.message ?? 'invalid'} in ${issue?.path.join('.') ?? 'body'}`;
    return { answer: refused(400, 'invalid_parameter', words) };
  }
  const call = parsed.data;
  if (call.htmlContent === undefined && call.textContent === undefined)
    return { answer: refused(400, 'missing_parameter', 'htmlContent or textContent is missing') };
  const key = `${account} ${call.headers?.['idempotencyKey'] ?? messageId}`;
  if (keys.has(key))
    return { answer: refused(400, 'duplicate_parameter', 'idempotencyKey is duplicate') };
  const answer = jsonAnswer(201, { messageId });
  const verdict = jsonVerdict(answer, [{ mail: jsonMailOf(call), messageId }], account, reports);
  return {
    ...verdict,
    taken: () => {
      if (keys.size >= keysMax) keys.clear();
      keys.add(key);
      verdict.taken?.();
    },
  };
}

function jsonMailOf(call: MailCall): JsonMail {
  const emails = (all: readonly z.infer<typeof person>[] | undefined) =>
    all?.map(({ email }) => email);
  const { name, email } = call.sender;
  const { [customName]: custom, idempotencyKey: _key, ...headers } = call.headers ?? {};
  return {
    from: name === undefined ? email : `${name} <${email}>`,
    to: emails(call.to) ?? [],
    cc: emails(call.cc),
    bcc: emails(call.bcc),
    replyTo: call.replyTo?.email,
    subject: call.subject,
    text: call.textContent,
    html: call.htmlContent,
    headers: Object.entries(headers),
    files: call.attachment ?? [],
    echoed: {
      ...Object.fromEntries((call.tags ?? []).map((tag) => [tag, ''])),
      ...(custom !== undefined && { [customName]: custom }),
    },
  };
}

function refused(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(status, { code, message }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'x-sib-ratelimit-reset': String(retryAfterSeconds) };
  const code = status === 401 ? 'unauthorized' : 'fault';
  return refused(status, code, `Fault ${status} on demand.`, headers);
}
