// Stand-in for Resend: one mail or a list of up to 100, with idempotency keys. Refuses what Resend
// refuses, and by the recipient's name.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { addressPattern, bareAddress, type JsonMail } from '../relay/json-mail.ts';
import { jsonVerdict } from '../relay/json-verdict.ts';
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
import { resendSpeech } from './resend-reports.ts';

const bodyBytesMax = 40 * 1024 * 1024;
const mailsMax = 100;
const keysMax = 10_000;

const named = z.string().refine((text) => addressPattern.test(bareAddress(text)));
const people = z.array(named).min(1).max(50);
const word = z.string().regex(/^[\w-]{1,256}$/);
const mailCall = z.strictObject({
  from: named,
  to: people,
  cc: people.optional(),
  bcc: people.optional(),
  reply_to: named.optional(),
  subject: z.string().min(1),
  text: z.string().optional(),
  html: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z
    .array(z.strictObject({ name: word, value: word }))
    .max(75)
    .optional(),
  attachments: z
    .array(
      z.strictObject({
        filename: z.string().min(1),
        content: z.base64(),
        content_type: z.string().optional(),
        content_id: z.string().max(128).optional(),
      }),
    )
    .optional(),
});
type MailCall = z.infer<typeof mailCall>;

interface KeyedAnswer {
  readonly hash: string;
  readonly answer: StandInResponse;
}

export function resendStandIn(world: World): HttpStandIn {
  const keys = new Map<string, KeyedAnswer>();
  let sent = 0;
  const nextId = () => `00000000-0000-4000-9000-${(++sent).toString(16).padStart(12, '0')}`;
  return relayStandIn(world, {
    channel: 'resend',
    label: 'Resend',
    ...{ bodyBytesMax, speech: resendSpeech(), refusal },
    receive(received, reports) {
      const [, token] = /^Bearer (\S+)$/.exec(received.headers.authorization ?? '') ?? [];
      if (token === undefined)
        return { answer: refused(401, 'missing_api_key', 'Missing API Key') };
      if (token.startsWith('re_revoked'))
        return { answer: refused(401, 'validation_error', 'API key is invalid') };
      if (received.method === 'GET' && received.path === '/domains')
        return {
          answer: token.startsWith('re_sending') ? restricted : jsonAnswer(200, { data: [] }),
        };
      const isBatch = received.path === '/emails/batch';
      if (received.method !== 'POST' || (!isBatch && received.path !== '/emails'))
        return { answer: refused(404, 'not_found', 'The requested endpoint does not exist.') };
      const given = received.headers['idempotency-key'];
      const key = given === undefined ? undefined : `${token} ${String(given)}`;
      const hash = createHash('sha256').update(received.body).digest('hex');
      const known = key === undefined ? undefined : keys.get(key);
      if (known !== undefined) return { answer: known.hash === hash ? known.answer : conflict };
      const verdict = verdictOf(received, { isBatch, nextId, token, reports });
      return {
        ...verdict,
        taken: () => {
          if (keys.size >= keysMax) keys.clear();
          if (key !== undefined) keys.set(key, { hash, answer: verdict.answer });
          verdict.taken?.();
        },
      };
    },
  });
}

const restricted = refused(
  401,
  'restricted_api_key',
  'This API key is restricted to only send emails',
);
const conflict = refused(
  409,
  'invalid_idempotent_request',
  'This idempotency key has been used with another request.',
);

function verdictOf(
  { body, headers }: Received,
  {
    isBatch,
    nextId,
    token,
    reports,
  }: {
    readonly isBatch: boolean;
    readonly nextId: () => string;
    readonly token: string;
    readonly reports: RelayReports;
  },
): Verdict {
  const given = parseJson(body.toString());
  if (given === undefined || Array.isArray(given) !== isBatch)
    return { answer: refused(422, 'validation_error', 'Invalid JSON.') };
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (items.length > mailsMax)
    return { answer: refused(422, 'validation_error', `At most ${mailsMax} emails are allowed.`) };
  const isPermissive = headers['x-batch-validation'] === 'permissive';
  const errors: { index: number; message: string }[] = [];
  const calls = items.flatMap((item, index): MailCall[] => {
    const parsed = mailCall.safeParse(item);
    const message = parsed.success ? wrongIn(parsed.data, isBatch) : problemOf(parsed.error);
    if (message !== undefined) errors.push({ index, message });
    return parsed.success && message === undefined ? [parsed.data] : [];
  });
  const [problem] = errors;
  if (problem !== undefined && !(isBatch && isPermissive))
    return { answer: refused(422, 'validation_error', problem.message) };
  const taken = calls.map((call) => ({ mail: jsonMailOf(call), messageId: nextId() }));
  const ids = taken.map(({ messageId }) => ({ id: messageId }));
  const answer = jsonAnswer(200, isBatch ? { data: ids, errors } : ids[0]);
  return jsonVerdict(answer, taken, token, reports);
}

function wrongIn({ text, html, attachments }: MailCall, isBatch: boolean): string | undefined {
  if (text === undefined && html === undefined) return 'Missing `html` or `text` field.';
  return isBatch && attachments !== undefined
    ? 'The `attachments` field is not supported in batches.'
    : undefined;
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `Invalid \`${String(issue?.path[0] ?? 'body')}\` field. ${issue?.message ?? ''}`;
}

function jsonMailOf(call: MailCall): JsonMail {
  return {
    from: call.from,
    to: call.to,
    cc: call.cc,
    bcc: call.bcc,
    replyTo: call.reply_to,
    subject: call.subject,
    text: call.text,
    html: call.html,
    headers: Object.entries(call.headers ?? {}),
    files: (call.attachments ?? []).map(({ filename, content, content_type }) => ({
      name: filename,
      type: content_type,
      content,
    })),
    echoed: Object.fromEntries((call.tags ?? []).map(({ name, value }) => [name, value])),
  };
}

function refused(
  statusCode: number,
  name: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(statusCode, { statusCode, name, message }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const name = status === 429 ? 'rate_limit_exceeded' : 'internal_server_error';
  return refused(status, name, `Fault ${status} on demand.`, retryAfter(retryAfterSeconds));
}
