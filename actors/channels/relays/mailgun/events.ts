// Reads Mailgun's webhooks. The signature covers time and token but not the body, so a token proves
// one body alone: whoever hears of it must refuse another. Source: Mailgun, "Securing webhooks",
// "Webhook payloads".

import { createHash, createHmac } from 'node:crypto';
import { hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { mailMarkName } from '../../email/mail-mark.ts';
import { type Json, jsonIn, jsonOf, secondsOf, textOf } from '../../port/json.ts';
import type { ReadRelayCall, ReadRelayEvents } from '../../port/relay-events.ts';
import { isSameSecret } from '../../port/same-secret.ts';
import { relayEvent, replyIn, replyOf, type SaidEvent } from '../event-parts.ts';
import type { MailgunConfig } from './kind.ts';

/** Mailgun repeats a call for eight hours. */
const ageMsMax: Millis = 10 * hourMs;

export const readMailgunEvents: ReadRelayEvents = async ({ body, nowMs }, config) => {
  const { signingKey } = config as MailgunConfig;
  const call = jsonIn(body);
  if (call === undefined) return { state: 'refused', reason: 'unreadable' };
  const proof = jsonOf(call['signature']);
  const refused = refusalOf(proof, signingKey, nowMs);
  if (refused !== undefined) return { state: 'refused', reason: refused };
  const data = jsonOf(call['event-data']);
  const said = saidIn(data);
  const event = said && relayEvent(said, nowMs);
  if (event === undefined) return { state: 'read', events: [], ignored: 1 };
  const bodyHash = createHash('sha256').update(body).digest('base64');
  const token = textOf(proof['token']);
  return { state: 'read', events: [event], ignored: 0, proof: { token, bodyHash } };
};

type Refused = Extract<ReadRelayCall, { state: 'refused' }>['reason'];

function refusalOf(
  proof: Json,
  signingKey: string | undefined,
  nowMs: Millis,
): Refused | undefined {
  const timestamp = textOf(proof['timestamp']) || String(proof['timestamp'] ?? '');
  const token = textOf(proof['token']);
  if (signingKey === undefined || token === '' || token.length > 128) return 'signature';
  const wanted = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex');
  // The account's own key signs beside that of the subaccount which the event is of.
  const given = [proof['signature'], proof['parent-signature']].map(textOf);
  if (!given.some((one) => isSameSecret(wanted, one))) return 'signature';
  const atMs = secondsOf(timestamp);
  return atMs === undefined || Math.abs(nowMs - atMs) > ageMsMax ? 'too_old' : undefined;
}

/** `undefined` for what says nothing of a mail's fate. */
function saidIn(data: Json): SaidEvent | undefined {
  const seconds = data['timestamp'];
  const base = {
    mark: jsonOf(data['user-variables'])[mailMarkName],
    atMs: typeof seconds === 'number' ? Math.floor(seconds * 1000) : undefined,
    to: textOf(data['recipient']),
  };
  const client = jsonOf(data['client-info']);
  const reader = {
    userAgent: textOf(client['user-agent']),
    byMachine: textOf(client['bot']) !== '',
  };
  switch (data['event']) {
    case 'accepted':
      return { ...base, kind: 'accepted' };
    case 'delivered':
      return { ...base, kind: 'delivered', reply: replyOfStatus(data) };
    case 'failed':
      return { ...base, ...failed(data), reply: replyOfStatus(data) };
    case 'rejected': {
      const reason = textOf(jsonOf(data['reject'])['reason']);
      return { ...base, kind: 'refused', detail: reason };
    }
    case 'complained':
      return { ...base, kind: 'complained' };
    case 'unsubscribed':
      return { ...base, kind: 'unsubscribed' };
    case 'opened':
      return { ...base, kind: 'opened', ...reader };
    case 'clicked':
      return { ...base, kind: 'clicked', url: textOf(data['url']), ...reader };
    default:
      return undefined;
  }
}

function replyOfStatus(data: Json): SaidEvent['reply'] {
  const status = jsonOf(data['delivery-status']);
  const { code } = status;
  const words = textOf(status['message']) || textOf(status['description']);
  const said = replyIn(`${String(code)} ${words}`);
  const enhanced = textOf(status['enhanced-code']);
  if (typeof code !== 'number' || enhanced === '') return said;
  return replyOf(code, enhanced, said?.text ?? words);
}

function failed(data: Json): Pick<SaidEvent, 'kind' | 'detail' | 'list'> {
  const reason = textOf(data['reason']);
  const status = jsonOf(data['delivery-status']);
  const detail = reason || textOf(status['description']);
  if (data['severity'] === 'temporary') return { kind: 'deferred', detail };
  switch (reason) {
    case 'suppress-bounce':
      return { kind: 'dropped', detail, list: 'bounces' };
    case 'suppress-complaint':
      return { kind: 'dropped', detail, list: 'complaints' };
    case 'suppress-unsubscribe':
      return { kind: 'dropped', detail, list: 'unsubscribes' };
    case 'espblock':
    case 'blacklisted':
      return { kind: 'refused', detail };
  }
  // `old`: Mailgun gave up a server that never took the mail.
  const code = Number(status['code']);
  const isHard =
    reason !== 'old' && textOf(status['bounce-type']) !== 'soft' && code >= 500 && code < 600;
  return { kind: isHard ? 'hard_bounce' : 'soft_bounce', detail };
}
