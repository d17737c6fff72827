// Stand-in for Mailgun (API version 3): takes whole messages at `/v3/<domain>/messages.mime`, and
// nothing but a check at `…/messages`. Node's own form parser reads the calls.

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
import { mailgunSpeech } from './mailgun-reports.ts';

const bodyBytesMax = 30 * 1024 * 1024;
const recipientsMax = 1_000;

export function mailgunStandIn(world: World): HttpStandIn {
  return relayStandIn(world, {
    channel: 'mailgun',
    label: 'Mailgun',
    ...{ bodyBytesMax, speech: mailgunSpeech(), refusal },
    async receive(received, reports, serial) {
      const [, basic = ''] = /^Basic (\S+)$/.exec(received.headers.authorization ?? '') ?? [];
      const [user, key = ''] = Buffer.from(basic, 'base64').toString().split(':');
      if (user !== 'api' || key === '' || key.startsWith('revoked'))
        return {
          answer: { status: 401, headers: { 'content-type': 'text/plain' }, body: 'Forbidden' },
        };
      const [, domain, what] =
        /^\/v3\/([\w.-]+)\/(messages|messages\.mime)$/.exec(received.path) ?? [];
      if (received.method !== 'POST' || domain === undefined)
        return { answer: refused(404, 'Not Found') };
      if (domain.startsWith('unknown'))
        return { answer: refused(404, `Domain not found: ${domain}`) };
      const form = await formOf(received);
      if (form === undefined) return { answer: refused(400, 'the form cannot be read') };
      if (what === 'messages') return { answer: refused(400, 'from parameter is missing') };
      return mailVerdict(form, domain, serial, reports, world);
    },
  });
}

type Form = Awaited<ReturnType<Response['formData']>>;

async function formOf({ body, headers }: Received): Promise<Form | undefined> {
  try {
    const type = headers['content-type'] ?? '';
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    return undefined;
  }
}

async function mailVerdict(
  form: Form,
  domain: string,
  serial: number,
  reports: RelayReports,
  world: World,
): Promise<Verdict> {
  const everybody = form.getAll('to').map(String);
  const file = form.get('message');
  if (everybody.length === 0) return { answer: refused(400, 'to parameter is missing') };
  if (everybody.length > recipientsMax) return { answer: refused(400, 'too many recipients') };
  if (everybody.some((one) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(one)))
    return {
      answer: refused(400, 'to parameter is not a valid address. please check documentation'),
    };
  if (file === null || typeof file === 'string')
    return { answer: refused(400, 'message parameter must be a file') };
  const { message, ...own } = rawMail(Buffer.from(await file.arrayBuffer()), world);
  const messageId = own.messageId || `20260101000000.${serial}@${domain}`;
  const to = faultyFirst(everybody);
  const echoed = Object.fromEntries(
    [...form.entries()].flatMap(([name, value]) =>
      name.startsWith('v:') ? [[name.slice(2), String(value)] as const] : [],
    ),
  );
  const mail = { ...own, account: domain, messageId, echoed };
  return {
    answer: jsonAnswer(200, { id: `<${messageId}>`, message: 'Queued. Thank you.' }),
    to,
    name: to,
    message,
    taken: () => reports.taken(everybody.map((one) => ({ ...mail, to: one }))),
  };
}

function refused(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return jsonAnswer(status, { message }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  return refused(
    status,
    status === 429 ? 'Too many requests' : `Fault ${status} on demand`,
    retryAfter(retryAfterSeconds),
  );
}
