// Stand-in for Solapi: `POST /kakao/messages/v4/send-many/detail`, one AlimTalk per call. A 200 may
// list the message as failed. Numbers below +1500555 trigger `namedFaults`. POST
// /control/kakao/templates sets a template's text; for others the inbox shows variables.

import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import type { Effect, NamedFault } from '../faults.ts';
import { parseJson, textOf } from '../json.ts';
import type { Content } from '../message.ts';
import { type HttpStandIn, jsonAnswer, type StandInResponse, type World } from '../stand-in.ts';
import { KakaoList, lateCodes } from './kakao-list.ts';
import { type CodeAndWords, type KakaoMessage, problemOf, readCall } from './kakao-message.ts';
import { KakaoSignatures } from './kakao-signature.ts';

const bodyBytesMax = 256 * 1024;
const templatesMax = 1_000;
const listPath = '/messages/v4/list';
const sendPath = '/messages/v4/send-many/detail';
const taken: CodeAndWords = ['2000', '정상 접수(이통사로 접수 예정)'];

type Templates = ReadonlyMap<string, string>;

export function kakaoStandIn(world: World): HttpStandIn {
  const signatures = new KakaoSignatures();
  const templates = new Map<string, string>();
  const list = new KakaoList();
  let sent = 0;
  return {
    transport: 'http',
    channel: 'kakao',
    label: 'Kakao',
    look: 'chat',
    mount: '/kakao',
    urls: { KAKAO: '/kakao' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: controlsOf(templates, signatures),
    receive(received) {
      const isList = received.method === 'GET' && received.path === listPath;
      if (!isList && (received.method !== 'POST' || received.path !== sendPath))
        return { answer: refused(404, 'ResourceNotFound', 'There is no such resource') };
      const signed = signatures.check(received.headers.authorization, world.clock.now());
      if ('errorCode' in signed)
        return { answer: refused(403, signed.errorCode, signed.errorMessage) };
      if (isList) return { answer: list.answer(new URLSearchParams(received.query)) };
      const body = parseJson(received.body.toString());
      const call = readCall(body);
      if ('problem' in call) {
        const read = () => ({ note: `Refused: ${call.problem}` });
        const answer = refused(400, 'ValidationError', call.problem);
        return { answer, to: '(nobody)', message: { read } };
      }
      const { message, isListed } = call;
      const to = numberOf(message);
      const recipient = {
        to,
        name: to,
        message: { ...idsOf(message), read: () => contentOf(message, templates) },
      };
      const problem = problemOf(message);
      if (problem !== undefined) return { answer: failed(problem, message), ...recipient };
      const id = messageId(++sent);
      const [statusCode, statusMessage] = taken;
      const listed = {
        messageId: id,
        statusCode,
        statusMessage,
        customFields: message.customFields,
      };
      const answer = jsonAnswer(200, {
        groupInfo: { groupId: `G4V${id.slice(3)}`, count: { total: 1, registeredSuccess: 1 } },
        failedMessageList: [],
        ...(isListed && { messageList: [listed] }),
      });
      const takenNow = () => list.add(id, to, message, received.nowMs);
      return { answer, ...recipient, taken: takenNow };
    },
  };
}

function messageId(serial: number): string {
  return `M4V20260101000000${String(serial).padStart(12, '0')}`;
}

/** A 200 that lists the message as failed. */
function failed(
  [statusCode, statusMessage]: CodeAndWords,
  message?: KakaoMessage,
): StandInResponse {
  const { to, from, type, country, customFields } = message ?? {};
  const answer = jsonAnswer(200, {
    groupInfo: { groupId: 'G4V0', count: { total: 1, registeredSuccess: 0, registeredFailed: 1 } },
    failedMessageList: [
      {
        to,
        from,
        type,
        country,
        messageId: messageId(0),
        statusCode,
        statusMessage,
        customFields,
      },
    ],
  });
  return { ...answer, isRefusal: true };
}

function refused(
  status: number,
  errorCode: string,
  errorMessage: string,
  retryAfterSeconds?: number,
): StandInResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return jsonAnswer(status, { errorCode, errorMessage }, headers);
}

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const errorCode = status === 429 ? 'TooManyRequests' : `Fault${status}`;
  return refused(status, errorCode, `Fault ${status} on demand`, retryAfterSeconds);
}

/** By the last digits of +1500555xxxx. */
const failures: readonly (readonly [last: string, code: string, words: string])[] = [
  ['0001', '3010', 'the form of the number is wrong'],
  ['0002', '1058', 'no route'],
  ['0003', '3101', 'the key of the sending channel is not valid'],
  ['0004', '1061', 'refused by its owner (080)'],
  ['0007', '3032', 'not a subscriber'],
  ['0009', '3104', 'not a user of KakaoTalk'],
  ['0011', '3107', 'KakaoTalk unused for 72 hours, or AlimTalk blocked'],
  ['0012', '1030', 'not enough balance'],
  ['0013', '3108', 'outside of the hours in which messages may be sent'],
  ['0014', '3105', 'the template is not registered'],
  ['0015', '3103', 'message and template differ'],
  ['0020', '1024', 'server error'],
];

function numbered(
  last: string,
  says: string,
  effect: Effect<StandInResponse>,
): NamedFault<StandInResponse> {
  return { prefix: `+1500555${last}`, says, effect: () => effect };
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  ...failures.map(([last, code, words]) =>
    numbered(last, `200, failed with ${code}: ${words}`, {
      kind: 'reply',
      reply: failed([code, words]),
    }),
  ),
  ...Object.entries(lateCodes).map(([last, [code, words]]) => ({
    prefix: `+1500555${last}`,
    says: `accepted; later ${code}: ${words}`,
    effect: () => undefined,
  })),
  numbered('0005', '429, Retry-After 2 s', { kind: 'reply', reply: refusal(429, 2) }),
  numbered('0006', '503: busy', { kind: 'reply', reply: refusal(503, undefined) }),
  numbered('0008', 'read, then hung up on: nothing was sent', { kind: 'drop' }),
  numbered('0010', '403 InvalidAPIKey: the account is refused', {
    kind: 'reply',
    reply: refused(403, 'InvalidAPIKey', 'The API key is not valid'),
  }),
  numbered('0016', 'never answered', { kind: 'hang' }),
  numbered('0017', 'accepted after 2 s', { kind: 'slow', delayMs: 2_000 }),
  numbered('0018', 'taken, then hung up on without an answer', { kind: 'drop', isTaken: true }),
  numbered('0019', '403 RequestTimeTooSkewed: as if our clock were wrong', {
    kind: 'reply',
    reply: refused(403, 'RequestTimeTooSkewed', 'The time of the request is 15 minutes off'),
  }),
  numbered('0021', '200, failed with 1026: the very message once more, which is no failure', {
    kind: 'reply',
    reply: failed(['1026', 'duplicate recipient']),
  }),
];

/** In E.164. */
function numberOf({ to, country }: KakaoMessage): string {
  return `+${country}${country === '82' ? to.replace(/^0/, '') : to}`;
}

function idsOf({ customFields = {} }: KakaoMessage): { sendId?: string; deviceId?: string } {
  const sendId = textOf(customFields['sendId']);
  const deviceId = textOf(customFields['deviceId']);
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

function contentOf(message: KakaoMessage, templates: Templates): Content {
  const { kakaoOptions, customFields, from } = message;
  const { pfId, templateId, variables = {}, buttons = [], disableSms } = kakaoOptions;
  const words = templates.get(templateId);
  const places = Object.entries(variables).map(([name, value]) => `${name} ${value}`);
  const notes = [
    ...(words === undefined
      ? ['The words of this template are not known here: POST /control/kakao/templates tells them']
      : []),
    ...(disableSms === true ? [] : ['Falls back to a text message, which costs']),
  ];
  return {
    sender: `channel ${pfId}`,
    text:
      words === undefined
        ? [`Template ${templateId}`, ...places].join('\n')
        : words.replace(/#\{[^}]*\}/g, (place) => variables[place] ?? place),
    ...(buttons.length > 0 && {
      buttons: buttons.map((button) => ({
        label: button.buttonName,
        ...(button.buttonType === 'WL' && { url: button.linkMo }),
      })),
    }),
    details: [['template', templateId], ['from', from], ...Object.entries(customFields ?? {})],
    ...(notes.length > 0 && { note: notes.join('. ') }),
  };
}

const newTemplate = z.strictObject({
  templateId: z.string().regex(/^\S{1,128}$/, 'must be a template id'),
  text: z.string().min(1).max(1_000),
});
const newKey = z.strictObject({
  apiKey: z.string().regex(/^[\w-]{8,128}$/, 'must be an API key'),
  apiSecret: z.string().min(8).max(128),
});

function controlsOf(templates: Map<string, string>, signatures: KakaoSignatures): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/kakao/templates',
      about:
        '{templateId, text}: an approved template with its #{places}; the inbox shows its words.',
      handle({ body }) {
        const parsed = parseControl(newTemplate, body);
        if ('refusal' in parsed) return parsed.refusal;
        if (templates.size >= templatesMax) templates.clear();
        templates.set(parsed.value.templateId, parsed.value.text);
        return ok({ template: parsed.value });
      },
    },
    {
      method: 'POST',
      path: '/kakao/keys',
      about: '{apiKey, apiSecret}: from then on the signatures of this key are verified.',
      handle({ body }) {
        const parsed = parseControl(newKey, body);
        if ('refusal' in parsed) return parsed.refusal;
        signatures.learn(parsed.value.apiKey, parsed.value.apiSecret);
        return ok({ apiKey: parsed.value.apiKey });
      },
    },
  ];
}
