// Stand-in for WhatsApp's Cloud API: `POST /whatsapp/v25.0/<phone number id>/messages`. Numbers
// +1500555xxxx trigger `namedFaults`; template names `missing…`, `paused…` or `disabled…` trigger a
// template's. Meta mostly refuses with 400: only the code distinguishes.

import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import type { NamedFault } from '../faults.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, parseJson, textOf } from '../json.ts';
import type { Content, ContentButton } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { Webhooks } from '../webhooks.ts';
import { whatsappEvents, whatsappOrders, whatsappSpeech } from './whatsapp-callbacks.ts';
import {
  parametersOf,
  problemOfWhatsAppMessage,
  type RegisteredTemplate,
  type Templates,
  templateKey,
} from './whatsapp-message.ts';

/** Accepted beside credential-like tokens, so that an app can start without credentials. */
const fixedToken = 'sandbox';
const bodyBytesMax = 64 * 1024;
const templatesMax = 1_000;
const numberPath = /^\/v\d+\.\d+\/(\d+)$/;
const sendPath = /^\/v\d+\.\d+\/([^/]+)\/messages$/;

export function whatsappStandIn(world: World): HttpStandIn {
  const templates = new Map<string, RegisteredTemplate>();
  const webhooks = new Webhooks(world, whatsappSpeech);
  let sent = 0;
  return {
    transport: 'http',
    channel: 'whatsapp',
    label: 'WhatsApp',
    look: 'chat',
    mount: '/whatsapp',
    urls: { WHATSAPP: '/whatsapp' },
    bodyBytesMax,
    namedFaults,
    refusal,
    receive(received) {
      const asked = received.method === 'GET' ? numberPath.exec(received.path)?.[1] : undefined;
      if (asked !== undefined)
        return { answer: problemOfToken(received) ?? jsonAnswer(200, { id: asked }) };
      const account = received.method === 'POST' ? sendPath.exec(received.path)?.[1] : undefined;
      if (account === undefined) return { answer: unknownPath };
      const request = parseJson(received.body.toString());
      const recipient = recipientOf(request, account, templates);
      const problem = problemOfToken(received);
      if (problem) return { answer: problem, ...recipient };
      if (!isJsonObject(request)) return { answer: metaError(400, 100, 'Invalid parameter', '') };
      const wrong = problemOfWhatsAppMessage(request, templates);
      if (wrong) {
        const status = wrong.code === 132001 ? 404 : 400;
        return { answer: metaError(status, wrong.code, wrong.title, wrong.details), ...recipient };
      }
      const id = messageId(`${world.clock.now()}.${++sent}`);
      const { to = '' } = recipient;
      const reference = request['biz_opaque_callback_data'];
      const accepted = () => {
        const events = whatsappEvents({ id, to, reference }, received.nowMs);
        webhooks.sent(account, to, events, whatsappOrders[to]);
      };
      return { answer: acceptance(String(request['to']), id), ...recipient, accepted };
    },
    controls: [...controlsOf(templates), ...webhooks.controls()],
    close: () => webhooks.close(),
  };
}

function problemOfToken({ headers }: Received): StandInResponse | undefined {
  const { authorization } = headers;
  if (!authorization?.startsWith('Bearer '))
    return metaError(401, 104, 'An access token is required to request this resource.', '');
  const token = authorization.slice(7);
  if (token === fixedToken) return undefined;
  if (/^[\x21-\x7e]{16,1024}$/.test(token) && !/^expired/i.test(token)) return undefined;
  return metaError(401, 190, 'Error validating access token: Session has expired', '');
}

function messageId(serial: string): string {
  return `wamid.${Buffer.from(`sandbox ${serial}`).toString('base64url')}`;
}

function acceptance(to: string, id: string, status = 'accepted'): StandInResponse {
  return jsonAnswer(200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: to, wa_id: to.replace('+', '') }],
    messages: [{ id, message_status: status }],
  });
}

const unknownPath = metaError(
  400,
  100,
  'Unsupported post request. Object does not exist, cannot be loaded due to missing permissions, or does not support this operation.',
  '',
  33,
);

/** By the last four digits in the test range. */
function numbered(
  digits: string,
  says: string,
  status: number,
  code: number,
  title: string,
  details = '',
): NamedFault<StandInResponse> {
  return {
    prefix: `+1500555${digits}`,
    says: `${code}: ${says}`,
    effect: () => ({ kind: 'reply', reply: metaError(status, code, title, details) }),
  };
}

// biome-ignore format: a table reads better packed
const namedFaults: readonly NamedFault<StandInResponse>[] = [
  numbered('0001', 'not a number', 400, 131009, 'Parameter value is not valid', 'Parameter to'),
  numbered('0002', 'not on the list of a test number', 400, 131030, 'Recipient phone number not in allowed list'),
  numbered('0003', 'no business may write to this country', 403, 130497, 'Business account is restricted from messaging users in this country.'),
  numbered('0004', 'they stopped marketing messages', 400, 131050, 'User has stopped marketing messages from this business'),
  numbered('0005', 'throttled', 429, 130429, 'Rate limit hit', 'Cloud API message throughput has been reached.'),
  numbered('0006', 'temporarily unavailable', 500, 131016, 'Service unavailable'),
  numbered('0007', 'cannot be delivered', 400, 131026, 'Message undeliverable', 'Message Undeliverable.'),
  { prefix: '+15005550008', says: 'read, then hung up on without an answer', effect: () => ({ kind: 'drop' }) },
  numbered('0009', 'the number has no WhatsApp', 400, 131026, 'Message undeliverable', 'Recipient is not a valid WhatsApp user'),
  numbered('0010', 'the access token was refused', 401, 190, 'Error validating access token'),
  numbered('0011', 'they did not write within a day: only templates', 400, 131047, 'Re-engagement message', 'Message failed to send because more than 24 hours have passed since the customer last replied to this number.'),
  numbered('0012', 'too many messages to this person', 400, 131056, '(Business Account, Consumer Account) pair rate limit hit'),
  numbered('0013', 'no more marketing for them now', 400, 131049, 'This message was not delivered to maintain healthy ecosystem engagement.'),
  numbered('0014', 'the account has not paid', 400, 131042, 'Business eligibility payment issue'),
  { prefix: '+15005550015', says: 'taken, and held for a check of quality', effect: () => ({ kind: 'reply', reply: acceptance('15005550015', messageId('held'), 'held_for_quality_assessment') }) },
  { prefix: '+15005550031', says: 'accepted; every callback comes twice', effect: () => undefined },
  { prefix: '+15005550032', says: 'accepted; callbacks come in the wrong order', effect: () => undefined },
  { prefix: '+15005550035', says: 'accepted; callbacks are signed with another secret', effect: () => undefined },
  { prefix: '+15005550036', says: 'accepted and read; the delivery is never told', effect: () => undefined },
  { prefix: '+15005550037', says: 'accepted; later failed with 131026: no WhatsApp', effect: () => undefined },
  { prefix: '+15005550038', says: 'accepted; later failed with 131049: no more marketing now', effect: () => undefined },
  { prefix: '+15005550039', says: 'accepted; no callback comes', effect: () => undefined },
];

const refusals: Readonly<Record<number, readonly [code: number, title: string]>> = {
  400: [100, 'Invalid parameter'],
  401: [190, 'Error validating access token'],
  403: [10, 'Permission denied'],
  404: [132001, 'Template name does not exist in the translation'],
  429: [130429, 'Rate limit hit'],
  500: [131000, 'Something went wrong'],
  503: [131016, 'Service unavailable'],
};

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const [code, title] = refusals[status] ?? [status >= 500 ? 2 : 1, `Fault ${status} on demand`];
  const answer = metaError(status, code, title, '');
  if (retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

function metaError(
  status: number,
  code: number,
  title: string,
  details: string,
  subcode?: number,
): StandInResponse {
  return jsonAnswer(status, {
    error: {
      message: `(#${code}) ${title}`,
      type: 'OAuthException',
      code,
      ...(subcode === undefined ? undefined : { error_subcode: subcode }),
      ...(details !== '' && { error_data: { messaging_product: 'whatsapp', details } }),
      fbtrace_id: 'AsandboxA',
    },
  });
}

function recipientOf(
  request: unknown,
  account: string,
  templates: Templates,
): Omit<Verdict, 'answer'> {
  const message = objectOrEmpty(request);
  const to = `+${(textOf(message['to']) ?? '').replace('+', '')}`;
  const [sendId, deviceId] = (textOf(message['biz_opaque_callback_data']) ?? '').split(':');
  return {
    to: to === '+' ? '(nobody)' : to,
    name: to,
    message: {
      ...(sendId && { sendId }),
      ...(deviceId && { deviceId }),
      read: () => ({ sender: `number ${account}`, ...contentOf(message, templates) }),
    },
  };
}

function contentOf(message: JsonObject, templates: Templates): Content {
  if (message['type'] === 'template')
    return templateContent(objectOrEmpty(message['template']), templates);
  const picture = objectOrEmpty(message['image']);
  const words = textOf(objectOrEmpty(message['text'])['body']) ?? textOf(picture['caption']) ?? '';
  const image = textOf(picture['link']);
  const [, title, rest] = /^\*([^*\n]+)\*(?:\n|$)([\s\S]*)$/.exec(words) ?? [];
  const link = /https?:\/\/\S+/.exec(words)?.[0];
  return {
    ...(title === undefined ? undefined : { title }),
    text: title === undefined ? words : (rest ?? ''),
    ...(image === undefined ? undefined : { image }),
    ...(link === undefined ? undefined : { link }),
    note: 'Free text: reaches only who wrote to the business within the last 24 hours',
  };
}

/** A registered template's filled text; for others, the parameters. */
function templateContent(template: JsonObject, templates: Templates): Content {
  const { name, language, components } = template;
  const code = String(objectOrEmpty(language)['code']);
  const registered = templates.get(templateKey(String(name), code));
  const header = parametersOf(components, 'header');
  const body = parametersOf(components, 'body').map((one) => textOf(one['text']) ?? '');
  const image = textOf(
    objectOrEmpty(header.find((one) => one['type'] === 'image')?.['image'])['link'],
  );
  const headerTexts = header.flatMap((one) => textOf(one['text']) ?? []);
  const title = registered ? filled(registered.header ?? '', headerTexts) : headerTexts.join(' ');
  const buttons = buttonsOf(components);
  return {
    ...(title !== '' && { title }),
    text: registered
      ? filled(registered.body, body)
      : [
          `Template ${String(name)}`,
          ...body.map((value, place) => `{{${place + 1}}} ${value}`),
        ].join('\n'),
    ...(image === undefined ? undefined : { image }),
    ...(buttons.length > 0 && { buttons }),
    details: [
      ['template', String(name)],
      ['language', code],
      ...header.flatMap((one) => {
        const type = String(one['type']);
        const link = textOf(objectOrEmpty(one[type])['link']);
        return link === undefined ? [] : [[type, link] as const];
      }),
    ],
    ...(registered === undefined && {
      note: 'The words of this template are not known here: POST /control/whatsapp/templates tells them',
    }),
  };
}

function buttonsOf(components: unknown): ContentButton[] {
  const all: unknown[] = Array.isArray(components) ? components : [];
  return all.map(objectOrEmpty).flatMap(({ type, sub_type: kind, index, parameters }) => {
    if (type !== 'button') return [];
    const [first]: unknown[] = Array.isArray(parameters) ? parameters : [];
    const { text, payload, coupon_code: coupon } = objectOrEmpty(first);
    return [
      {
        label: `Button ${Number(index) + 1} (${String(kind)}): ${String(text ?? payload ?? coupon)}`,
      },
    ];
  });
}

function filled(text: string, values: readonly string[]): string {
  return text.replace(/\{\{(\d{1,2})\}\}/g, (place, number) => values[Number(number) - 1] ?? place);
}

const newTemplate = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be small letters, digits and _'),
  language: z.string().regex(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, 'must be a language, such as en_US'),
  body: z.string().min(1).max(1_024),
  header: z.string().min(1).max(60).optional(),
});

function controlsOf(templates: Map<string, RegisteredTemplate>): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/whatsapp/templates',
      about:
        '{name, language, body, header?}: an approved template; its {{1}} … must then be filled exactly, and the inbox shows its words.',
      handle({ body }) {
        const parsed = parseControl(newTemplate, body);
        if ('refusal' in parsed) return parsed.refusal;
        const template = parsed.value;
        if (templates.size >= templatesMax) templates.clear();
        templates.set(templateKey(template.name, template.language), template);
        return ok({ template });
      },
    },
  ];
}
