// Reads Brevo's transactional webhooks, alone or in lists, proved by a token that each call shows.
// Source: Brevo, "Transactional webhooks", "Batched webhooks" and "Secure webhook calls".

import { isObject } from '../../../is-object.ts';
import { type Json, jsonIn, secondsOf, textOf } from '../../port/json.ts';
import type { ReadRelayEvents, RelayEvent } from '../../port/relay-events.ts';
import { relayEvent, replyIn, type SaidEvent } from '../event-parts.ts';
import { objectsIn } from '../objects-in.ts';
import { isRecentEvent, showsSecret } from '../shared-secret.ts';
import type { BrevoConfig } from './kind.ts';

export const readBrevoEvents: ReadRelayEvents = async (call, config) => {
  const { eventsToken } = config as BrevoConfig;
  if (eventsToken === undefined || !showsSecret(call, eventsToken))
    return { state: 'refused', reason: 'signature' };
  const list = listIn(call.body);
  if (list === undefined || !list.some((item) => textOf(item['event']) !== ''))
    return { state: 'refused', reason: 'unreadable' };
  const all = list.map(saidIn);
  const recent = all.filter((said) => isRecentEvent(said?.atMs, call.nowMs));
  if (recent.length === 0) return { state: 'refused', reason: 'too_old' };
  const events = recent.flatMap((said): RelayEvent[] => {
    const event = said && relayEvent(said, call.nowMs);
    return event === undefined ? [] : [event];
  });
  return { state: 'read', events, ignored: list.length - events.length };
};

function listIn(body: Uint8Array): readonly Json[] | undefined {
  const one = jsonIn(body);
  return isObject(one) ? [one] : objectsIn(Buffer.from(body).toString('utf8'));
}

/** `undefined` for what says nothing of a mail. */
function saidIn(item: Json): SaidEvent | undefined {
  const detail = textOf(item['reason']);
  const base = {
    mark: item['X-Mailin-custom'],
    // `date` is in the time zone of Paris, `ts_epoch` the time of the mail.
    atMs: secondsOf(item['ts_event']) ?? secondsOf(item['ts']),
    to: textOf(item['email']),
  };
  const said = { ...base, detail, reply: replyIn(detail) };
  switch (item['event']) {
    case 'request':
      return { ...base, kind: 'accepted' };
    case 'delivered':
      return { ...base, kind: 'delivered' };
    case 'deferred':
      return { ...said, kind: 'deferred' };
    case 'soft_bounce':
      return { ...said, kind: 'soft_bounce' };
    case 'hard_bounce':
      return { ...said, kind: 'hard_bounce' };
    case 'spam':
      return { ...base, kind: 'complained' };
    case 'unsubscribed':
      return { ...base, kind: 'unsubscribed' };
    case 'blocked':
      return { ...base, kind: 'dropped', detail, list: blockedBy(detail) };
    case 'invalid_email':
      return { ...base, kind: 'dropped', detail: detail || 'invalid_email', list: 'other' };
    case 'error':
      return { ...said, kind: 'refused' };
    case 'opened':
    case 'unique_opened':
      return { ...base, kind: 'opened', userAgent: textOf(item['user_agent']) };
    case 'proxy_open':
    case 'unique_proxy_open':
      return { ...base, kind: 'opened', userAgent: textOf(item['user_agent']), byMachine: true };
    case 'click': {
      const url = textOf(item['link']);
      return { ...base, kind: 'clicked', url, userAgent: textOf(item['user_agent']) };
    }
    default:
      return undefined;
  }
}

function blockedBy(reason: string): NonNullable<SaidEvent['list']> {
  if (/unsubscri/i.test(reason)) return 'unsubscribes';
  if (/complain|spam/i.test(reason)) return 'complaints';
  return /bounce/i.test(reason) ? 'bounces' : 'other';
}
