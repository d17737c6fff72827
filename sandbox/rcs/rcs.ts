// Stand-in for RCS for Business: `POST
// /rcs/v1/phones/<number>/agentMessages?messageId=…&agentId=…`. The caller's message id is unique
// per agent; a repeated one reaches nobody. Numbers +1500555… trigger `namedFaults`.

import type { NamedFault } from '../faults.ts';
import { fixedBearer } from '../fcm/fcm.ts';
import { isIssuedToken } from '../google-token.ts';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import type { Content, ContentButton } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { TakenKeys } from '../taken-keys.ts';
import { Webhooks } from '../webhooks.ts';
import { rcsEvents, rcsOrders, rcsSpeech } from './rcs-callbacks.ts';
import { type AgentMessage, readAgentMessage, type Suggestion } from './rcs-message.ts';

/** The limit is 250 KB. */
const bodyBytesMax = 250_000;
const sendPath = /^\/v1\/phones\/([^/]+)\/agentMessages$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const testRange = '+1500555';

export function rcsStandIn(world: World): HttpStandIn {
  const taken = new TakenKeys<true>();
  const webhooks = new Webhooks(world, rcsSpeech);
  return {
    transport: 'http',
    channel: 'rcs',
    label: 'RCS',
    look: 'chat',
    mount: '/rcs',
    urls: { RCS: '/rcs' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: webhooks.controls(),
    close: () => webhooks.close(),
    receive(received) {
      const call = readCall(received);
      if ('answer' in call) return call;
      const { phone, agentId, messageId, message } = call;
      const verdict: Omit<Verdict, 'answer'> = {
        to: phone,
        name: phone,
        message: { ...idsOf(message), read: () => contentOf(call) },
      };
      const key = `${agentId} ${messageId.toLowerCase()}`;
      if (taken.find(key, world.clock.now())) {
        const read = () => ({ ...contentOf(call), note: 'Of an id taken before: shown once' });
        return { ...verdict, answer: refusal(409), message: { ...verdict.message, read } };
      }
      const answer = jsonAnswer(200, {
        name: `phones/${phone}/agentMessages/${messageId}`,
        sendTime: new Date(received.nowMs).toISOString(),
        ...message,
      });
      return {
        ...verdict,
        answer,
        taken: () => taken.take(key, true, world.clock.now()),
        accepted() {
          const events = rcsEvents(messageId, phone, received.nowMs);
          webhooks.sent(agentId, phone, events, rcsOrders[phone]);
        },
      };
    },
  };
}

interface Call {
  readonly phone: string;
  readonly agentId: string;
  readonly messageId: string;
  readonly message: AgentMessage;
}

/** Or the refusal, in Google's order of checks. */
function readCall(received: Received): Call | Verdict {
  const segment = received.method === 'POST' ? sendPath.exec(received.path)?.[1] : undefined;
  if (segment === undefined) return { answer: notGoogles };
  if (!isAuthorised(received)) return { answer: refusal(401) };
  const phone = decoded(segment);
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) {
    return { answer: invalid('parent', `Invalid phone number: ${segment}`) };
  }
  const query = new URLSearchParams(received.query);
  const messageId = query.get('messageId') ?? '';
  const agentId = query.get('agentId') ?? '';
  if (!uuid.test(messageId)) return { answer: invalid('messageId', 'messageId must be a UUID') };
  if (agentId === '') return { answer: invalid('agentId', 'agentId is required') };
  const body = parseJson(received.body.toString());
  if (body === undefined) return { answer: invalid('', 'Invalid JSON payload received.') };
  const read = readAgentMessage(body);
  if ('problem' in read) {
    const unreadable = () => ({ note: `Refused: ${read.problem}` });
    const answer = invalid(read.field, read.problem);
    return { answer, to: phone, name: phone, message: { read: unreadable } };
  }
  return { phone, agentId, messageId, message: read.message };
}

function isAuthorised({ headers: { authorization }, nowMs }: Received): boolean {
  if (!authorization?.startsWith('Bearer ')) return false;
  const token = authorization.slice(7);
  return token === fixedBearer || isIssuedToken(token, nowMs);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  number(1, '400 INVALID_ARGUMENT: not a number that can be', () =>
    invalid('parent', 'Invalid phone number.'),
  ),
  number(2, '404 NOT_FOUND: the agent is not launched with this carrier', () => refusal(404)),
  number(3, '403 PERMISSION_DENIED: the agent may not send in this region', () => refusal(403)),
  number(4, 'accepted, though unsubscribed: the person never sees it'),
  number(5, '429 RESOURCE_EXHAUSTED, Retry-After 2 s', () => refusal(429, 2)),
  number(6, '503 UNAVAILABLE', () => refusal(503)),
  number(7, 'accepted, then revoked when its ttl is over: the phone never comes back'),
  {
    prefix: `${testRange}0008`,
    says: 'read, then hung up on without an answer; a second try is a 409',
    effect: () => ({ kind: 'drop' }),
  },
  number(9, '404 NOT_FOUND: the phone has no RCS', () => refusal(404)),
  number(10, '401 UNAUTHENTICATED: the access token is refused', () => refusal(401)),
  number(11, '400 INVALID_ARGUMENT: the phone cannot show cards', () =>
    invalid('contentMessage', 'Feature not supported by the user device.'),
  ),
  number(12, '429 with a RetryInfo of 3 s and no Retry-After', () => throttled),
  number(13, '500 INTERNAL', () => refusal(500)),
  number(31, 'accepted; every callback comes twice'),
  number(32, 'accepted; callbacks come in the wrong order'),
  number(35, 'accepted; callbacks are signed with another token'),
  number(39, 'accepted; no callback comes'),
];

/** By number in the test range; accepts without its own response. */
function number(
  last: number,
  says: string,
  reply?: () => StandInResponse,
): NamedFault<StandInResponse> {
  const prefix = `${testRange}${String(last).padStart(4, '0')}`;
  return { prefix, says, effect: () => reply && { kind: 'reply', reply: reply() } };
}

const notes: Readonly<Record<string, string>> = {
  [`${testRange}0004`]: 'Unsubscribed: accepted, and shown to nobody',
  [`${testRange}0007`]: 'Never online again: accepted, and revoked when its ttl is over',
};

const refusals: Readonly<Record<number, readonly [status: string, message: string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission.'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  409: ['ALREADY_EXISTS', 'Requested entity already exists.'],
  413: ['INVALID_ARGUMENT', 'Request payload size exceeds the limit: 250000 bytes.'],
  429: ['RESOURCE_EXHAUSTED', 'You have reached the allowed traffic limit for this agent.'],
  500: ['INTERNAL', 'Internal error encountered.'],
  503: ['UNAVAILABLE', 'The service is currently unavailable.'],
};

function refusal(code: number, retryAfterSeconds?: number): StandInResponse {
  const [status, message] = refusals[code] ?? ['UNKNOWN', `Fault ${code} on demand.`];
  const headers =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return jsonAnswer(code, { error: { code, message, status } }, headers);
}

function invalid(field: string, description: string): StandInResponse {
  const fieldViolations = [{ field, description }];
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
  const error = { code: 400, message: description, status: 'INVALID_ARGUMENT', details };
  return jsonAnswer(400, { error });
}

const throttled = jsonAnswer(429, {
  error: {
    code: 429,
    message: refusals[429]?.[1],
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
  },
});

/** Google's front answers unknown paths, not in JSON. */
const notGoogles: StandInResponse = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>',
};

/** Ours, if a suggestion has them: other messages have only their id. */
function idsOf(message: AgentMessage): { sendId?: string; deviceId?: string } {
  const [first] = suggestionsOf(message);
  const data = objectOrEmpty(parseJson((first?.reply ?? first?.action)?.postbackData ?? ''));
  const sendId = textOf(data['sendId']);
  const deviceId = textOf(data['deviceId']);
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

function suggestionsOf({ contentMessage }: AgentMessage): readonly Suggestion[] {
  const card = contentMessage.richCard?.standaloneCard?.cardContent;
  return [...(card?.suggestions ?? []), ...(contentMessage.suggestions ?? [])];
}

function contentOf({ phone, agentId, messageId, message }: Call): Content {
  const { contentMessage, messageTrafficType, ttl } = message;
  const { richCard, contentInfo } = contentMessage;
  const card = richCard?.standaloneCard?.cardContent ?? richCard?.carouselCard?.cardContents[0];
  const text = contentMessage.text ?? card?.description;
  const image = card?.media?.contentInfo.fileUrl ?? contentInfo?.fileUrl;
  const buttons = suggestionsOf(message).map(buttonOf);
  const details: [string, string | undefined][] = [
    ['message id', messageId],
    ['traffic', messageTrafficType],
    ['ttl', ttl],
  ];
  const note = notes[phone];
  return {
    sender: agentId,
    ...(card?.title !== undefined && { title: card.title }),
    ...(text !== undefined && { text }),
    ...(image !== undefined && { image }),
    ...(buttons.length > 0 && { buttons }),
    ...(note !== undefined && { note }),
    details: details.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  };
}

function buttonOf({ reply, action }: Suggestion): ContentButton {
  const { openUrlAction, dialAction } = action ?? {};
  const url = openUrlAction?.url ?? (dialAction && `tel:${dialAction.phoneNumber}`);
  return {
    label: reply?.text ?? action?.text ?? '',
    ...(url !== undefined && { url }),
  };
}
