// Stand-in for Zalo: `POST /zalo/v3.0/oa/message/cs`, `…/promotion`, `…/transaction`. Nearly every
// refusal is a 200 with a negative number. Ids are digits, so the test range triggers faults: 15005550001 and so
// on. Zalo's night is not simulated: a sandbox works at any hour.

import type { NamedFault } from '../faults.ts';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import { type HttpStandIn, jsonAnswer, type StandInResponse, type World } from '../stand-in.ts';
import { Webhooks } from '../webhooks.ts';
import { zaloEvents, zaloOrders, zaloSpeech } from './zalo-callbacks.ts';
import { contentOfRequest, type Kind, problemOfRequest } from './zalo-message.ts';
import { accessProblem } from './zalo-token.ts';

const bodyBytesMax = 256 * 1024;
const sendPath = /^\/v3\.0\/oa\/message\/(cs|promotion|transaction)$/;

export function zaloStandIn(world: World): HttpStandIn {
  const webhooks = new Webhooks(world, zaloSpeech);
  let sent = 0;
  return {
    transport: 'http',
    channel: 'zalo',
    label: 'Zalo',
    look: 'chat',
    mount: '/zalo',
    urls: { ZALO: '/zalo' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: webhooks.controls(),
    close: () => webhooks.close(),
    receive(received) {
      const kind = sendPath.exec(received.path)?.[1] as Kind | undefined;
      if (received.method !== 'POST' || kind === undefined)
        return { answer: jsonAnswer(404, { error: -404, message: 'Not found' }) };
      const request = parseJson(received.body.toString());
      const user = textOf(objectOrEmpty(objectOrEmpty(request)['recipient'])['user_id']);
      const call = {
        to: user ?? '(nobody)',
        name: user ?? '',
        message: { read: () => contentOfRequest(request, kind) },
      };
      const token = received.headers['access_token'];
      const problem =
        accessProblem(world, typeof token === 'string' ? token : undefined, received.nowMs) ??
        problemOfRequest(request, kind);
      if (problem !== undefined) return { answer: refusalOf(...problem), ...call };
      const id = `${world.clock.now()}${String(++sent).padStart(6, '0')}`;
      const data = { message_id: id, user_id: user, sent_time: String(received.nowMs) };
      return {
        answer: jsonAnswer(200, { error: 0, message: 'Success', data }),
        ...call,
        accepted() {
          const events = zaloEvents(id, call.to, received.nowMs);
          webhooks.sent(String(token), call.to, events, zaloOrders[call.to]);
        },
      };
    },
  };
}

/** By the last digits of 1500555xxxx. */
const faults: readonly (readonly [last: string, error: number, message: string, says?: string])[] =
  [
    ['0001', -201, 'user_id is invalid'],
    ['0002', -213, 'User has not followed OA', 'no follower'],
    ['0003', -224, 'OA has not purchased the required package', 'the account may not send'],
    ['0004', -244, 'User has restricted this type of message from your OA', 'opted out'],
    ['0005', -32, 'API rate limit exceeded', 'throttled'],
    ['0006', -214, 'The system is busy', 'busy'],
    ['0007', -227, 'User is banned or has been inactive for more than 45 days', 'gone for good'],
    ['0009', -230, 'User has not interacted with the OA in the past 7 days', 'out of the window'],
    ['0010', -216, 'Access token is invalid', 'whatever the access token'],
    ['0011', -218, 'Out of quota receive', 'the person gets no more today'],
    ['0012', -211, 'Out of quota', 'the account sends no more for now'],
    ['0013', -234, 'Messages cannot be sent at night', 'as if it were night there'],
  ];

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  ...faults.map(([last, error, message, says = message]) => ({
    prefix: `1500555${last}`,
    says: `200 with error ${error}: ${says}`,
    effect: () => ({ kind: 'reply', reply: refusalOf(error, message) }) as const,
  })),
  { prefix: '15005550031', says: 'accepted; every callback comes twice', effect: () => undefined },
  {
    prefix: '15005550032',
    says: 'accepted; callbacks come in the wrong order',
    effect: () => undefined,
  },
  {
    prefix: '15005550035',
    says: 'accepted; callbacks are signed with another secret',
    effect: () => undefined,
  },
  { prefix: '15005550039', says: 'accepted; no callback comes', effect: () => undefined },
  {
    prefix: '15005550008',
    says: 'read, then hung up on without an answer',
    effect: () => ({ kind: 'drop' }),
  },
  {
    prefix: '15005550014',
    says: '503: its front is down',
    effect: () => ({ kind: 'reply', reply: refusal(503, undefined) }),
  },
];

/** An error of Zalo's front end, by HTTP status. */
function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return jsonAnswer(status, { error: -status, message: `Fault ${status} on demand` }, headers);
}

function refusalOf(error: number, message: string): StandInResponse {
  return { ...jsonAnswer(200, { error, message }), isRefusal: true };
}
