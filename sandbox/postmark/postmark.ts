// Stand-in for Postmark: one mail or a list of up to 500, each with its own answer. Refuses what
// Postmark refuses, and by the recipient's name.

import { z } from 'zod';
import { parseJson } from '../json.ts';
import { addressPattern, bareAddress, type JsonMail } from '../relay/json-mail.ts';
import { jsonVerdict, type TakenJsonMail } from '../relay/json-verdict.ts';
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
import { postmarkSpeech, streamName } from './postmark-reports.ts';

const bodyBytesMax = 50 * 1024 * 1024;
const mailsMax = 500;
const recipientsMax = 50;

const named = z.string().refine((text) => addressPattern.test(bareAddress(text)));
const list = z.string().refine((text) => {
  const all = text.split(',');
  return all.length <= recipientsMax && all.every((one) => addressPattern.test(bareAddress(one)));
});
const mailCall = z.strictObject({
  From: named,
  To: list,
  Cc: list.optional(),
  Bcc: list.optional(),
  ReplyTo: list.optional(),
  Subject: z.string().max(2_000).optional(),
  TextBody: z.string().optional(),
  HtmlBody: z.string().optional(),
  Tag: z.string().max(1_000).optional(),
  Headers: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).optional(),
  Metadata: z
    .record(z.string().max(20), z.string().max(80))
    .refine((all) => Object.keys(all).length <= 10)
    .optional(),
  MessageStream: z.string().optional(),
  TrackOpens: z.boolean().optional(),
  TrackLinks: z.enum(['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly']).optional(),
  Attachments: z
    .array(
      z.strictObject({
        Name: z.string().min(1),
        Content: z.base64(),
        ContentType: z.string(),
        ContentID: z.string().startsWith('cid:').optional(),
      }),
    )
    .optional(),
});
type MailCall = z.infer<typeof mailCall>;

export function postmarkStandIn(world: World): HttpStandIn {
  let sent = 0;
  const nextId = () => `00000000-0000-4000-8000-${(++sent).toString(16).padStart(12, '0')}`;
  return relayStandIn(world, {
    channel: 'postmark',
    label: 'Postmark',
    ...{ bodyBytesMax, speech: postmarkSpeech, refusal },
    namedFaults: [
      {
        prefix: 'inactive',
        says: "422, error 406: the address is on the server's list of suppressions",
        effect: () => undefined,
      },
    ],
    receive(received, reports) {
      const token = received.headers['x-postmark-server-token'];
      if (typeof token !== 'string' || token.startsWith('revoked'))
        return { answer: refused(401, 10, 'No Account or Server API tokens were supplied.') };
      if (received.method === 'GET' && received.path === '/server')
        return { answer: jsonAnswer(200, { ID: 23, Name: 'Sandbox', DeliveryType: 'Live' }) };
      const isBatch = received.path === '/email/batch';
      if (received.method !== 'POST' || (!isBatch && received.path !== '/email'))
        return { answer: refused(404, 404, 'The requested resource was not found.') };
      return verdictOf(received, { isBatch, token, nextId, reports });
    },
  });
}

interface Answered {
  readonly answer: {
    readonly ErrorCode: number;
    readonly Message: string;
    readonly MessageID?: string;
    readonly To?: string;
  };
  readonly call?: MailCall;
}

function verdictOf(
  { body, nowMs }: Received,
  {
    isBatch,
    token,
    nextId,
    reports,
  }: {
    readonly isBatch: boolean;
    readonly token: string;
    readonly nextId: () => string;
    readonly reports: RelayReports;
  },
): Verdict {
  const given = parseJson(body.toString());
  if (given === undefined || Array.isArray(given) !== isBatch)
    return { answer: refused(422, 402, 'Received invalid JSON input.') };
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (items.length > mailsMax)
    return { answer: refused(422, 410, `A batch may have ${mailsMax} messages at most.`) };
  const all = items.map((item) => answerTo(item, nextId, nowMs));
  const taken = all.flatMap(({ answer, call }): TakenJsonMail[] =>
    call === undefined ? [] : [{ mail: jsonMailOf(call), messageId: answer.MessageID ?? '' }],
  );
  const [one] = all;
  if (!isBatch && one !== undefined && one.answer.ErrorCode !== 0)
    return { answer: refused(422, one.answer.ErrorCode, one.answer.Message) };
  const answer = jsonAnswer(200, isBatch ? all.map((each) => each.answer) : one?.answer);
  return jsonVerdict(answer, taken, token, reports);
}

function answerTo(item: unknown, nextId: () => string, nowMs: number): Answered {
  const parsed = mailCall.safeParse(item);
  const no = (ErrorCode: number, Message: string) => ({ answer: { ErrorCode, Message } });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return no(300, `Invalid '${issue?.path.join('.')}' value: ${issue?.message}`);
  }
  const call = parsed.data;
  if (call.TextBody === undefined && call.HtmlBody === undefined)
    return no(300, 'Provide either email TextBody or HtmlBody or both.');
  if (call.MessageStream?.startsWith('missing'))
    return no(1235, "The 'MessageStream' provided does not exist on this server.");
  if (/^unverified@/i.test(bareAddress(call.From)))
    return no(400, "The 'From' address you supplied is not a Sender Signature on your account.");
  const to = call.To.split(',').map(bareAddress);
  const inactive = to.filter((one) => /^inactive/i.test(one));
  if (inactive.length === to.length)
    return no(
      406,
      `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${inactive.join(', ')}.`,
    );
  const SubmittedAt = new Date(nowMs).toISOString();
  const accepted = { To: call.To, SubmittedAt, MessageID: nextId(), ErrorCode: 0, Message: 'OK' };
  return { answer: accepted, call };
}

function jsonMailOf(call: MailCall): JsonMail {
  const split = (text: string | undefined) => text?.split(',').map((one) => one.trim());
  return {
    from: call.From,
    to: split(call.To) ?? [],
    cc: split(call.Cc),
    bcc: split(call.Bcc),
    replyTo: call.ReplyTo,
    subject: call.Subject ?? '',
    text: call.TextBody,
    html: call.HtmlBody,
    headers: (call.Headers ?? []).map(({ Name, Value }) => [Name, Value]),
    files: (call.Attachments ?? []).map(({ Name, Content, ContentType }) => ({
      name: Name,
      type: ContentType,
      content: Content,
    })),
    echoed: { ...call.Metadata, [streamName]: call.MessageStream ?? 'outbound' },
  };
}

function refused(
  status: number,
  ErrorCode: number,
  Message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(status, { ErrorCode, Message }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const code = status === 401 ? 10 : status === 429 ? 429 : 0;
  return refused(status, code, `Fault ${status} on demand.`, retryAfter(retryAfterSeconds));
}
