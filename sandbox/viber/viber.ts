// Stand-in for Viber: `POST /viber/pa/send_message`. Every refusal is a 200 with a number; message
// tokens are 19-digit integers, which no double holds. Opaque ids with a fault's prefix trigger it.

import type { NamedFault } from '../faults.ts';
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
import { Webhooks } from '../webhooks.ts';
import { viberEvents, viberHello, viberOrder, viberSpeech } from './viber-callbacks.ts';
import { readMessage, type ViberButton, type ViberMessage } from './viber-message.ts';

/** Accepted beside bot-like tokens, so that an app can start without credentials. */
const fixedToken = 'sandbox';
const bodyBytesMax = 64 * 1024;
const host = 'SN-CHAT-01_';
const firstToken = 5_741_311_803_571_721_087n;

export function viberStandIn(world: World): HttpStandIn {
  const webhooks = new Webhooks(world, viberSpeech);
  let sent = 0n;
  return {
    transport: 'http',
    channel: 'viber',
    label: 'Viber',
    look: 'chat',
    mount: '/viber',
    urls: { VIBER: '/viber' },
    bodyBytesMax,
    namedFaults,
    refusal,
    controls: webhooks.controls(),
    close: () => webhooks.close(),
    receive(received) {
      if (received.path === '/pa/set_webhook') return setWebhook(received, webhooks);
      if (received.path === '/pa/get_account_info' && received.method === 'POST')
        return {
          answer: isToken(received)
            ? jsonAnswer(200, { status: 0, status_message: 'ok', id: 'pa:1', name: 'Sandbox' })
            : said(2, 'invalidAuthToken'),
        };
      if (received.method !== 'POST' || received.path !== '/pa/send_message')
        return { answer: jsonAnswer(404, { status: 404, status_message: 'Not found' }) };
      if (!isToken(received)) return { answer: said(2, 'invalidAuthToken') };
      const body = parseJson(received.body.toString());
      const to = textOf(objectOrEmpty(body)['receiver']) ?? '(nobody)';
      const message = readMessage(body, received.body.length);
      if ('words' in message) {
        const read = () => ({ note: `Refused: ${message.words}` });
        return { answer: said(message.status, message.words), to, name: to, message: { read } };
      }
      const read = () => contentOf(message);
      const token = firstToken + sent++;
      const accepted = () =>
        webhooks.sent(
          tokenIn(received),
          to,
          viberEvents(token, to, received.nowMs),
          viberOrder(to),
        );
      const answer = acceptance(token);
      return { answer, to, name: to, message: { ...idsOf(message), read }, accepted };
    },
  };
}

/** Viber calls the address before responding, and it must accept. */
async function setWebhook(received: Received, webhooks: Webhooks): Promise<Verdict> {
  if (!isToken(received)) return { answer: said(2, 'invalidAuthToken') };
  const { url } = objectOrEmpty(parseJson(received.body.toString()));
  if (url === '') {
    webhooks.set(tokenIn(received), undefined);
    return { answer: jsonAnswer(200, { status: 0, status_message: 'ok' }) };
  }
  if (typeof url !== 'string' || !URL.canParse(url)) return { answer: said(1, 'invalidUrl') };
  const hook = { url, secret: tokenIn(received) };
  const status = await webhooks.try(hook, viberHello(received.nowMs));
  if (status !== 200) return { answer: said(1, `invalidUrl: it answered ${status}`) };
  webhooks.set(hook.secret, hook);
  const answer = { status: 0, status_message: 'ok', chat_hostname: host, event_types: [] };
  return { answer: jsonAnswer(200, answer) };
}

function tokenIn({ headers }: Received): string {
  return String(headers['x-viber-auth-token']);
}

function isToken({ headers }: Received): boolean {
  const token = headers['x-viber-auth-token'];
  if (typeof token !== 'string') return false;
  return token === fixedToken || /^[0-9a-f-]{16,128}$/i.test(token);
}

/** By hand: JSON.stringify cannot write such integers. */
function acceptance(token: bigint): StandInResponse {
  const body = `{"status":0,"status_message":"ok","message_token":${token},"chat_hostname":"${host}","billing_status":1}`;
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function said(status: number, words: string): StandInResponse {
  const body = { status, status_message: words, chat_hostname: host };
  return { ...jsonAnswer(200, body), isRefusal: true };
}

function named(
  prefix: string,
  status: number,
  words: string,
  meaning: string,
): NamedFault<StandInResponse> {
  return {
    prefix,
    says: `status ${status}, ${words}: ${meaning}`,
    effect: () => ({ kind: 'reply', reply: said(status, words) }),
  };
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  named('unregistered', 5, 'receiverNotRegistered', 'no such person'),
  named('unsubscribed', 6, 'receiverNotSubscribed', 'they left the bot'),
  named('nodevice', 11, 'receiverNoSuitableDevice', 'nothing of theirs shows messages of bots'),
  named('quota', 12, 'tooManyRequests', 'without a delay'),
  named('oldapp', 13, 'apiVersionNotSupported', 'their app is too old for it'),
  named('abroad', 21, 'unsupportedCountry', 'not to where they live'),
  named('badtoken', 2, 'invalidAuthToken', 'the token is refused'),
  named('baddata', 3, 'badData', 'the message is refused'),
  named('blockedbot', 7, 'publicAccountBlocked', 'the account is blocked'),
  named('suspended', 9, 'publicAccountSuspended', 'the account is suspended'),
  named('nowebhook', 10, 'webhookNotSet', 'the bot has no webhook'),
  named('unauthorized', 15, 'publicAccountNotAuthorized', 'the account may not send'),
  named('nobalance', 24, 'noBalance', 'nothing is left on the account'),
  named('general', 999, 'General error', 'an error without a number of its own'),
  ...(
    [
      ['late', 'accepted; failed later'],
      ['twice', 'accepted; every callback comes twice'],
      ['backwards', 'accepted; callbacks come in the wrong order'],
      ['forged', 'accepted; callbacks are signed with another token'],
      ['silent', 'accepted; no callback comes'],
    ] as const
  ).map(([prefix, says]) => ({ prefix, says, effect: () => undefined })),
  {
    prefix: 'busy',
    says: '503: its front is down',
    effect: () => ({ kind: 'reply', reply: refusal(503, undefined) }),
  },
  {
    prefix: 'cut',
    says: 'taken, then hung up on without an answer',
    effect: () => ({ kind: 'drop', isTaken: true }),
  },
];

/** An error of Viber's front end, by HTTP status. */
function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return jsonAnswer(status, { message: `Fault ${status} on demand` }, headers);
}

function idsOf(message: ViberMessage): { sendId?: string; deviceId?: string } {
  const tracked = objectOrEmpty(parseJson(message.tracking_data ?? ''));
  const sendId = textOf(tracked['sendId']);
  const deviceId = textOf(tracked['deviceId']);
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

function contentOf(message: ViberMessage): Content {
  const { keyboard, sender, tracking_data: tracking } = message;
  return {
    sender: sender.name,
    ...(message.text !== '' && { text: message.text }),
    ...(message.type === 'picture' && { image: message.media }),
    ...(keyboard && { buttons: keyboard.Buttons.map(buttonOf) }),
    details: tracking === undefined ? [] : [['tracking data', tracking]],
  };
}

/** Button texts are HTML. */
function buttonOf(button: ViberButton): ContentButton {
  const label = button.Text.replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return { label, ...(button.ActionType === 'open-url' && { url: button.ActionBody }) };
}
