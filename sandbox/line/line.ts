// Stand-in for LINE: `POST /line/v2/bot/message/push`. A repeated retry key gets a 409 with the
// first ids and reaches nobody. Pushes to people who blocked the account are accepted. Ids are
// hexadecimal, so fault names are too.

import type { NamedFault } from '../faults.ts';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import type { Content, ContentBubble, ContentButton } from '../message.ts';
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
import { lineSpeech } from './line-callbacks.ts';
import { type LineAction, type LineProblem, type Push, readPush } from './line-message.ts';

const bodyBytesMax = 2 * 1024 * 1024;
const retryKeyLifeMs = 24 * 60 * 60_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const slowMs = 2_000;
const repeated = 'Of a retry key taken before: shown once';

interface Sent {
  readonly requestId: string;
  readonly sentMessages: readonly { readonly id: string }[];
}

export function lineStandIn(world: World): HttpStandIn {
  const taken = new TakenKeys<Sent>(retryKeyLifeMs);
  const webhooks = new Webhooks(world, lineSpeech);
  let requests = 0;
  let messages = 0;
  return {
    transport: 'http',
    channel: 'line',
    label: 'LINE',
    look: 'chat',
    mount: '/line',
    urls: { LINE: '/line' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: webhooks.controls(),
    close: () => webhooks.close(),
    receive(received) {
      const call = readCall(received);
      if ('answer' in call) return call;
      const { push, retryKey, token } = call;
      const requestId = `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`;
      const verdict: Omit<Verdict, 'answer'> = {
        accepted: () => webhooks.sent(token, push.to, []),
        to: push.to,
        name: push.to.slice(1),
        message: { ...idsOf(push), read: () => contentOf(push, retryKey) },
      };
      const key = retryKey && `${token} ${retryKey.toLowerCase()}`;
      const before = key && taken.find(key, world.clock.now());
      if (before) {
        const body = {
          message: 'The retry key is already accepted',
          sentMessages: before.sentMessages,
        };
        const answer = jsonAnswer(409, body, {
          'x-line-request-id': requestId,
          'x-line-accepted-request-id': before.requestId,
        });
        const read = () => ({ ...contentOf(push, retryKey), note: repeated });
        return { ...verdict, answer, message: { ...verdict.message, read } };
      }
      const sentMessages = push.messages.map(() => ({ id: messageId(++messages) }));
      const answer = jsonAnswer(200, { sentMessages }, { 'x-line-request-id': requestId });
      if (!key) return { ...verdict, answer };
      const take = () => taken.take(key, { requestId, sentMessages }, world.clock.now());
      return { ...verdict, answer, taken: take };
    },
  };
}

/** 18 digits as at LINE: more than a double holds. */
function messageId(serial: number): string {
  return `4612309668${String(serial).padStart(8, '0')}`;
}

interface Call {
  readonly push: Push;
  readonly retryKey: string | undefined;
  readonly token: string;
}

/** Or the refusal, in LINE's order of checks. */
function readCall(received: Received): Call | Verdict {
  const isInfo = received.method === 'GET' && received.path === '/v2/bot/info';
  if (!isInfo && (received.method !== 'POST' || received.path !== '/v2/bot/message/push')) {
    return { answer: said(404, 'Not found') };
  }
  const token = /^Bearer ([\x21-\x7e]+)$/.exec(received.headers.authorization ?? '')?.[1];
  if (token === undefined || token.startsWith('revoked')) return { answer: refusal(401) };
  if (isInfo)
    return {
      answer: jsonAnswer(200, {
        userId: `U${'5a'.repeat(16)}`,
        basicId: '@sandbox',
        displayName: 'Sandbox',
        chatMode: 'bot',
        markAsReadMode: 'auto',
      }),
    };
  if (!received.headers['content-type']?.startsWith('application/json')) {
    return { answer: said(415, 'The content type must be application/json') };
  }
  const retryKey = textOf(received.headers['x-line-retry-key']);
  if (retryKey !== undefined && !uuid.test(retryKey)) {
    return { answer: said(400, 'The retry key is invalid') };
  }
  const body = parseJson(received.body.toString());
  if (body === undefined) return { answer: said(400, 'The request body could not be parsed') };
  const to = textOf(objectOrEmpty(body)['to']) ?? '(nobody)';
  const read = readPush(body);
  if ('problems' in read) {
    const unreadable = () => ({ note: `Refused: ${read.problems.map(problemText).join('; ')}` });
    return { answer: invalid(read.problems), to, message: { read: unreadable } };
  }
  if (!/^[UCR][0-9a-f]{32}$/.test(to)) return { answer: invalidTo, to };
  return { push: read.push, retryKey, token };
}

function invalid(problems: readonly LineProblem[]): StandInResponse {
  const message = `The request body has ${problems.length} error(s)`;
  return jsonAnswer(400, { message, details: problems });
}

function problemText({ property, message }: LineProblem): string {
  return property === '' ? message : `${property}: ${message}`;
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  named('dead', '400 Failed to send messages: no such user', () =>
    said(400, 'Failed to send messages'),
  ),
  named('b10c', 'accepted, though the person blocked the account: shown to nobody'),
  named('bad0', "400: the property 'to' is invalid, an id of another provider", () => invalidTo),
  named('e400', '400 with details: a property of the message is refused', () =>
    invalid([{ property: 'messages[0].text', message: 'May not be empty' }]),
  ),
  named('e401', '401: the channel access token is refused', () => refusal(401)),
  named('e403', '403: the account or its plan may not push', () => refusal(403)),
  named('e413', '413: more than 2 MB', () => refusal(413)),
  named('e429', '429: the rate limit, without a Retry-After', () => refusal(429)),
  named('f011', '429: the month is used up, told by its words alone', () =>
    said(429, 'You have reached your monthly limit.'),
  ),
  named('e500', '500: an internal error', () => refusal(500)),
  named('e503', '503: unavailable', () => refusal(503)),
  {
    prefix: 'deaf',
    says: 'read, then hung up on without an answer; a second try is a 409',
    effect: () => ({ kind: 'drop' }),
  },
  {
    prefix: '51ee9',
    says: 'accepted after 2 s (51ee9500a… after 500 ms)',
    effect: (delayMs) => ({ kind: 'slow', delayMs: Math.min(delayMs || slowMs, 60_000) }),
  },
];

/** By first digits; accepts without its own response. */
function named(
  prefix: string,
  says: string,
  reply?: () => StandInResponse,
): NamedFault<StandInResponse> {
  return { prefix, says, effect: () => reply && { kind: 'reply', reply: reply() } };
}

const refusals: Readonly<Record<number, string>> = {
  400: 'The request body has 1 error(s)',
  401: 'Authentication failed. Confirm that the access token in the authorization header is valid.',
  403: 'Access to this API is not available for your account',
  413: 'Request exceeds the max size of 2MB',
  429: 'The API rate limit has been exceeded. Try again later.',
  500: 'Internal server error',
  503: 'Service unavailable',
};

const invalidTo = said(
  400,
  "The property, 'to', in the request body is invalid (line: -, column: -)",
);

function refusal(status: number, retryAfterSeconds?: number): StandInResponse {
  const headers =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return said(status, refusals[status] ?? `Fault ${status} on demand`, headers);
}

function said(status: number, message: string, headers?: Record<string, string>): StandInResponse {
  return jsonAnswer(status, { message }, headers);
}

/** Ours, if a button has them: LINE's links and texts have no room. */
function idsOf({ messages }: Push): { sendId?: string; deviceId?: string } {
  const actions = messages.flatMap((one) => (one.type === 'template' ? one.template.actions : []));
  const postback = actions.find((action) => action.type === 'postback');
  const data = objectOrEmpty(parseJson(postback?.data ?? ''));
  const sendId = textOf(data['sendId']);
  const deviceId = textOf(data['deviceId']);
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

/** A push as one message: at most a picture and a text or card. */
function contentOf(push: Push, retryKey: string | undefined): Content {
  const bubbles = push.messages.map(bubbleOf);
  const texts = bubbles.flatMap(({ text }) => text ?? []);
  const link = push.messages.map(linkOf).find((url) => url !== undefined);
  const isBlocked = push.to.slice(1).startsWith('b10c');
  return {
    ...Object.assign({}, ...bubbles),
    ...(texts.length > 0 && { text: texts.join('\n\n') }),
    ...(link !== undefined && { link }),
    ...(bubbles.length > 1 && { bubbles }),
    ...(isBlocked && { note: 'Blocked: accepted, and shown to nobody' }),
    details: [
      ['messages', push.messages.map(({ type }) => type).join(', ')],
      ...(push.notificationDisabled === true ? [['notification', 'silent'] as const] : []),
      ...(retryKey === undefined ? [] : [['retry key', retryKey] as const]),
    ],
  };
}

function bubbleOf(message: Push['messages'][number]): ContentBubble {
  switch (message.type) {
    case 'text':
      return { text: message.text };
    case 'image':
      return { image: message.originalContentUrl };
    case 'template': {
      const { title, text, thumbnailImageUrl, actions } = message.template;
      return {
        ...(title !== undefined && { title }),
        text,
        ...(thumbnailImageUrl !== undefined && { image: thumbnailImageUrl }),
        buttons: actions.map(buttonOf),
      };
    }
  }
}

function linkOf(message: Push['messages'][number]): string | undefined {
  const action = message.type === 'template' ? message.template.defaultAction : undefined;
  return action?.type === 'uri' ? action.uri : undefined;
}

function buttonOf(action: LineAction): ContentButton {
  return { label: action.label, ...(action.type === 'uri' && { url: action.uri }) };
}
