// Stand-in for Telegram: `POST /telegram/bot<token>/sendMessage` and `…/sendPhoto`, in JSON. Chat
// numbers and names may trigger faults: 15005550004, `@blocked_ann`. Messages lack our ids.

import type { NamedFault } from '../faults.ts';
import { type JsonObject, objectOrEmpty, parseJson, textOf } from '../json.ts';
import type { Content, ContentButton } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { Webhooks } from '../webhooks.ts';
import { readWebhook, telegramSpeech } from './telegram-callbacks.ts';
import { readHtml } from './telegram-html.ts';
import { type Method, methods, problemOfCall } from './telegram-message.ts';

/** Accepted beside bot-like tokens, so that an app can start without credentials. */
const fixedToken = 'sandbox';
const bodyBytesMax = 64 * 1024;
const callPath = /^\/bot([^/]+)\/([A-Za-z]+)$/;
const tokenForm = /^(\d{5,20}):[A-Za-z0-9_-]{30,64}$/;

export function telegramStandIn(world: World): HttpStandIn {
  const webhooks = new Webhooks(world, telegramSpeech);
  let sent = 0;
  return {
    transport: 'http',
    channel: 'telegram',
    label: 'Telegram',
    look: 'chat',
    mount: '/telegram',
    urls: { TELEGRAM: '/telegram' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: webhooks.controls(),
    close: () => webhooks.close(),
    receive(received) {
      const [, token, called] = callPath.exec(received.path) ?? [];
      const bot = token === fixedToken ? fixedToken : tokenForm.exec(token ?? '')?.[1];
      if (bot === undefined) return { answer: refused(404, 'Not Found') };
      if (called?.toLowerCase() === 'setwebhook' && received.method === 'POST') {
        const hook = readWebhook(parseJson(received.body.toString()));
        if (hook !== undefined && 'problem' in hook)
          return { answer: refused(400, `Bad Request: ${hook.problem}`) };
        webhooks.set(String(token), hook);
        const description = hook === undefined ? 'Webhook was deleted' : 'Webhook was set';
        return { answer: jsonAnswer(200, { ok: true, result: true, description }) };
      }
      if (called?.toLowerCase() === 'getme')
        return {
          answer: jsonAnswer(200, {
            ok: true,
            result: { id: Number(bot) || 1, is_bot: true, first_name: 'Bot', username: 'a_bot' },
          }),
        };
      const method = methods.find((one) => one.toLowerCase() === called?.toLowerCase());
      if (method === undefined || received.method !== 'POST')
        return { answer: refused(404, 'Not Found: method not found') };
      const isJson = received.headers['content-type']?.startsWith('application/json') === true;
      const call = isJson ? parseJson(received.body.toString()) : undefined;
      const recipient = recipientOf(call, bot);
      const problem = problemOfCall(method, call);
      if (problem !== undefined)
        return { answer: refused(400, `Bad Request: ${problem}`), ...recipient };
      const answer = acceptance(method, objectOrEmpty(call), ++sent, world.clock.now());
      const accepted = () => webhooks.sent(String(token), recipient.to ?? '', []);
      return { answer, ...recipient, accepted };
    },
  };
}

function acceptance(
  method: Method,
  call: JsonObject,
  number: number,
  nowMs: number,
): StandInResponse {
  const { chat_id: chat } = call;
  const isName = typeof chat === 'string' && chat.startsWith('@');
  const id = isName ? -1_001_000_000_000 : Number(chat);
  return jsonAnswer(200, {
    ok: true,
    result: {
      message_id: number,
      date: Math.floor(nowMs / 1000),
      chat: { id, type: isName ? 'channel' : id < 0 ? 'group' : 'private' },
      ...(method === 'sendMessage' ? { text: plain(call['text']) } : { photo: [] }),
    },
  });
}

function refused(code: number, description: string, parameters?: object): StandInResponse {
  return jsonAnswer(code, {
    ok: false,
    error_code: code,
    description,
    ...(parameters === undefined ? undefined : { parameters }),
  });
}

function throttled(seconds: number): StandInResponse {
  return refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

/** By name, and by test range number if it has one. */
function named(
  prefix: string,
  digits: string | undefined,
  says: string,
  answer: (number: number | undefined) => StandInResponse,
): readonly NamedFault<StandInResponse>[] {
  const prefixes = digits === undefined ? [prefix] : [prefix, `1500555${digits}`];
  return prefixes.map((one) => ({
    prefix: one,
    says,
    effect: (number) => ({ kind: 'reply', reply: answer(number) }),
  }));
}

// biome-ignore format: a table reads better packed
const namedFaults: readonly NamedFault<StandInResponse>[] = [
  ...named('nochat', '0001', '400: no such chat', () => refused(400, 'Bad Request: chat not found')),
  ...named('stranger', '0002', '403: they never started the bot', () => refused(403, "Forbidden: bot can't initiate conversation with a user")),
  ...named('readonly', '0003', '400: the bot may not write here', () => refused(400, 'Bad Request: not enough rights to send text messages to the chat')),
  ...named('blocked', '0004', '403: they blocked the bot', () => refused(403, 'Forbidden: bot was blocked by the user')),
  ...named('quota', '0005', '429, retry_after 2 s (quota30… says 30)', (seconds) => throttled(seconds ?? 2)),
  ...named('busy', '0006', '502', () => refused(502, 'Bad Gateway')),
  ...named('deactivated', '0007', '403: their account is gone', () => refused(403, 'Forbidden: user is deactivated')),
  { prefix: '15005550008', says: 'read, then hung up on without an answer', effect: () => ({ kind: 'drop' }) },
  ...named('robot', '0009', '403: the chat is a bot', () => refused(403, "Forbidden: bot can't send messages to bots")),
  ...named('account', '0010', '401: the token was refused', () => refused(401, 'Unauthorized')),
  ...named('kicked', undefined, '403: the bot was removed from the group', () => refused(403, 'Forbidden: bot was kicked from the supergroup chat')),
  ...named('noimage', undefined, '400: the photo could not be had', () => refused(400, 'Bad Request: wrong file identifier/HTTP URL specified')),
  ...named('migrate', '0011', '400: a group with another id by now, which is told', () =>
    refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1_001_500_555_001 })),
];

const refusals: Readonly<Record<number, string>> = {
  400: 'Bad Request: bad request on demand',
  401: 'Unauthorized',
  403: 'Forbidden: bot was blocked by the user',
  404: 'Not Found',
  409: 'Conflict: terminated by other getUpdates request',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  if (status === 429) return throttled(retryAfterSeconds ?? 1);
  const answer = refused(status, refusals[status] ?? `Fault ${status} on demand`);
  if (retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

function recipientOf(request: unknown, bot: string): Omit<Verdict, 'answer'> {
  const call = objectOrEmpty(request);
  const { chat_id: chat } = call;
  const to = typeof chat === 'string' || typeof chat === 'number' ? String(chat) : '';
  return {
    to: to === '' ? '(nobody)' : to,
    name: to.replace(/^@/, ''),
    message: { read: () => ({ sender: `bot ${bot}`, ...contentOf(call) }) },
  };
}

function contentOf(call: JsonObject): Content {
  const words = textOf(call['text']) ?? textOf(call['caption']) ?? '';
  const read = call['parse_mode'] === 'HTML' ? readHtml(words) : { text: words };
  if ('problem' in read) return { text: words, note: `Not shown: ${read.problem}` };
  const preview = objectOrEmpty(call['link_preview_options']);
  const image = textOf(call['photo']) ?? textOf(preview['url']);
  const buttons = buttonsOf(call['reply_markup']);
  const title = 'boldLine' in read ? read.boldLine : undefined;
  return {
    ...(title === undefined ? undefined : { title }),
    text: title === undefined ? read.text : read.text.slice(title.length + 1),
    ...(image === undefined ? undefined : { image }),
    ...(buttons.length > 0 && { buttons }),
    details: preview['is_disabled'] === true ? [['link preview', 'off']] : [],
    ...(call['disable_notification'] === true && { note: 'Arrives without a sound' }),
  };
}

function buttonsOf(markup: unknown): ContentButton[] {
  const rows = objectOrEmpty(markup)['inline_keyboard'];
  const all: unknown[] = Array.isArray(rows) ? rows.flat() : [];
  return all.map(objectOrEmpty).flatMap(({ text, url }) => {
    const label = textOf(text);
    const address = textOf(url);
    return label === undefined
      ? []
      : [{ label, ...(address === undefined ? undefined : { url: address }) }];
  });
}

function plain(html: unknown): string {
  const read = readHtml(typeof html === 'string' ? html : '');
  return 'text' in read ? read.text : '';
}
