// Stand-in for SendGrid (API version 3): up to 1,000 personalizations in a call, each a mail in the
// inbox. Refuses what SendGrid refuses, and by the recipient's name.

import { z } from 'zod';
import { preheaderOf } from '../email/mail-html.ts';
import { parseJson } from '../json.ts';
import type { Content } from '../message.ts';
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
import { sendGridSpeech } from './sendgrid-reports.ts';

const bodyBytesMax = 30 * 1024 * 1024;

const person = z.object({
  email: z.string().regex(/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/, 'Does not contain a valid address.'),
  name: z.string().optional(),
});
/** Header names that a call may not set. */
const reserved =
  /^(?:x-sg-id|x-sg-eid|received|dkim-signature|content-type|content-transfer-encoding|to|from|subject|reply-to|cc|bcc)$/i;
const personalization = z
  .object({
    to: z.array(person).min(1),
    cc: z.array(person).optional(),
    bcc: z.array(person).optional(),
    headers: z
      .record(
        z.string().refine((name) => !reserved.test(name)),
        z.string(),
      )
      .optional(),
    custom_args: z.record(z.string(), z.string()).optional(),
  })
  .refine(({ to, cc = [], bcc = [] }) => {
    const all = [...to, ...cc, ...bcc].map(({ email }) => email.toLowerCase());
    return new Set(all).size === all.length;
  }, 'Each email address in the personalization block should be unique between to, cc, and bcc.');
const mailCall = z.object({
  personalizations: z.array(personalization).min(1).max(1_000),
  from: person,
  reply_to: person.optional(),
  subject: z.string().min(1),
  categories: z.array(z.string().min(1).max(255)).max(10).optional(),
  content: z
    .array(z.object({ type: z.string(), value: z.string().min(1) }))
    .min(1)
    .refine((list) => !list.some(({ type }, at) => type === 'text/plain' && at > 0), 'text first'),
  attachments: z
    .array(
      z.object({
        content: z.base64(),
        type: z.string().optional(),
        filename: z.string().min(1),
        disposition: z.enum(['inline', 'attachment']).optional(),
        content_id: z.string().optional(),
      }),
    )
    .optional(),
  tracking_settings: z.unknown().optional(),
});

type MailCall = z.infer<typeof mailCall>;
type Personalization = MailCall['personalizations'][number];

export function sendGridStandIn(world: World): HttpStandIn {
  return relayStandIn(world, {
    channel: 'sendgrid',
    label: 'SendGrid',
    ...{ bodyBytesMax, speech: sendGridSpeech(), refusal },
    receive(received, reports, serial) {
      const [, key] = /^Bearer (\S+)$/.exec(received.headers.authorization ?? '') ?? [];
      if (key === undefined || key.startsWith('SG.revoked'))
        return { answer: refused(401, 'The provided authorization grant is invalid') };
      if (received.method === 'GET' && received.path === '/v3/scopes')
        return { answer: jsonAnswer(200, { scopes: ['mail.send', 'alerts.read'] }) };
      if (received.method !== 'POST' || received.path !== '/v3/mail/send')
        return { answer: refused(404, 'Resource not found') };
      return mailVerdict(received, key, `sandbox${String(serial).padStart(15, '0')}`, reports);
    },
  });
}

function mailVerdict(
  { body }: Received,
  account: string,
  messageId: string,
  reports: RelayReports,
): Verdict {
  const parsed = mailCall.safeParse(parseJson(body.toString()));
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ message, path }) => ({
      message,
      field: path.join('.'),
      help: null,
    }));
    return { answer: jsonAnswer(400, { errors }) };
  }
  const call = parsed.data;
  const mails = call.personalizations.map((one) => ({
    to: one.to[0]?.email ?? '',
    message: { ...idsOf(one), read: () => contentOf(call, one) },
  }));
  const to = faultyFirst(mails.map((one) => one.to));
  const first = mails.find((one) => one.to === to);
  if (first === undefined) return { answer: refused(400, 'no recipient') };
  return {
    answer: {
      status: 202,
      headers: { 'x-message-id': messageId },
      body: '',
    },
    to,
    name: to,
    message: first.message,
    others: mails.filter((one) => one !== first),
    taken: () =>
      reports.taken(
        call.personalizations.flatMap(({ to: people, cc = [], bcc = [], custom_args = {} }) =>
          [...people, ...cc, ...bcc].map(({ email }) => ({
            account,
            to: email,
            from: call.from.email,
            subject: call.subject,
            messageId,
            echoed: custom_args,
          })),
        ),
      ),
  };
}

function idsOf({ headers = {} }: Personalization): { sendId?: string; deviceId?: string } {
  const sendId = headers['X-Engage-Send-Id'];
  const deviceId = headers['X-Engage-Device-Id'];
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

function contentOf(call: MailCall, one: Personalization): Content {
  const part = (type: string) => call.content.find((content) => content.type === type)?.value;
  const [text, html] = [part('text/plain'), part('text/html')];
  const preheader = html === undefined ? undefined : preheaderOf(html);
  const named = ({ email, name }: z.infer<typeof person>) =>
    name === undefined ? email : `${name} <${email}>`;
  const list = (name: string, people: readonly z.infer<typeof person>[] = []) =>
    people.length === 0 ? [] : [[name, people.map(named).join(', ')] as const];
  return {
    sender: named(call.from),
    title: call.subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(preheader !== undefined && { preheader }),
    details: [
      ...(call.attachments ?? []).map(
        ({ filename, type, content }) =>
          [
            'attachment',
            `${filename} · ${type ?? 'application/octet-stream'} · ${Buffer.byteLength(content, 'base64')} B`,
          ] as const,
      ),
      ['From', named(call.from)],
      ...list('To', one.to),
      ...list('Cc', one.cc),
      ...list('Bcc', one.bcc),
      ...list('Reply-To', call.reply_to && [call.reply_to]),
      ['Subject', call.subject],
      ...Object.entries(one.headers ?? {}),
      ...Object.entries(one.custom_args ?? {}),
    ],
  };
}

function refused(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(status, { errors: [{ message, field: null, help: null }] }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const words = status === 429 ? 'too many requests' : `Fault ${status} on demand`;
  return refused(status, words, retryAfter(retryAfterSeconds));
}
