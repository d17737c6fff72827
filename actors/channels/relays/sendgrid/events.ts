// Reads SendGrid's signed event webhook. Source: "Getting started with the Event Webhook security
// features" and "Event Webhook reference".

import { type KeyObject, verify } from 'node:crypto';
import { dayMs, type Millis } from '../../../../engine/base/brand.ts';
import { isObject } from '../../../is-object.ts';
import { mailMarkName } from '../../email/mail-mark.ts';
import { dropOldest } from '../../port/bounded-cache.ts';
import { type Json, secondsOf, textOf } from '../../port/json.ts';
import type { ReadRelayEvents, RelayEvent } from '../../port/relay-events.ts';
import { relayEvent, replyIn, replyOf, type SaidEvent } from '../event-parts.ts';
import { eventKeyOf, type SendGridConfig } from './kind.ts';

/** SendGrid repeats a call for a day; as long is known which clicks were counted. */
const ageMsMax: Millis = dayMs;

export const readSendGridEvents: ReadRelayEvents = async ({ body, headers, nowMs }, config) => {
  const { publicKey } = config as SendGridConfig;
  const time = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
  const signature = headers['x-twilio-email-event-webhook-signature'] ?? '';
  if (publicKey === undefined || !isSigned(publicKey, time, body, signature))
    return { state: 'refused', reason: 'signature' };
  const atMs = secondsOf(time);
  if (atMs === undefined || Math.abs(nowMs - atMs) > ageMsMax)
    return { state: 'refused', reason: 'too_old' };
  const list = listIn(body);
  if (list === undefined) return { state: 'refused', reason: 'unreadable' };
  const events = list.flatMap((item): RelayEvent[] => {
    const said = isObject(item) ? saidIn(item) : undefined;
    const event = said && relayEvent(said, nowMs);
    return event === undefined ? [] : [event];
  });
  return { state: 'read', events, ignored: list.length - events.length };
};

const keys = new Map<string, KeyObject>();
const keysMax = 256;

function isSigned(publicKey: string, time: string, body: Uint8Array, signature: string): boolean {
  let key = keys.get(publicKey);
  if (key === undefined) {
    key = eventKeyOf(publicKey);
    dropOldest(keys, keysMax);
    keys.set(publicKey, key);
  }
  if (time.length > 32 || signature.length > 256) return false;
  const signed = Buffer.concat([Buffer.from(time, 'latin1'), body]);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64'));
}

function listIn(body: Uint8Array): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` for what says nothing here: who comes back at SendGrid has not consented here. */
function saidIn(item: Json): SaidEvent | undefined {
  const base = {
    mark: item[mailMarkName],
    atMs: secondsOf(item['timestamp']),
    to: textOf(item['email']),
  };
  const reason = textOf(item['reason']);
  switch (item['event']) {
    case 'processed':
      return { ...base, kind: 'accepted' };
    case 'deferred': {
      const words = textOf(item['response']) || reason;
      return { ...base, kind: 'deferred', reply: replyIn(words), detail: words };
    }
    case 'delivered':
      return { ...base, kind: 'delivered', reply: replyIn(textOf(item['response'])) };
    case 'bounce':
      return { ...base, ...bounce(item, reason) };
    case 'dropped':
      return { ...base, ...dropped(reason), detail: reason };
    case 'spamreport':
      return { ...base, kind: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { ...base, kind: 'unsubscribed' };
    case 'open':
      return { ...base, kind: 'opened', ...reader(item) };
    case 'click':
      return { ...base, kind: 'clicked', url: textOf(item['url']), ...reader(item) };
    default:
      return undefined;
  }
}

function reader(item: Json): Pick<SaidEvent, 'userAgent' | 'byMachine'> {
  return { userAgent: textOf(item['useragent']), byMachine: item['sg_machine_open'] === true };
}

/** `blocked`: the server refused this mail, not the address. */
function bounce(item: Json, reason: string): Pick<SaidEvent, 'kind' | 'detail' | 'reply'> {
  const said = replyIn(reason);
  const status = textOf(item['status']);
  const reply =
    said === undefined || said.enhanced !== undefined
      ? said
      : (replyOf(said.code, status, said.text) ?? said);
  const detail = textOf(item['bounce_classification']) || reason;
  if (item['type'] !== 'blocked') return { kind: 'hard_bounce', detail, reply };
  switch (item['bounce_classification']) {
    case 'Content':
    case 'Reputation':
      return { kind: 'refused', detail, reply };
    default:
      return { kind: 'soft_bounce', detail, reply };
  }
}

function dropped(reason: string): Pick<SaidEvent, 'kind' | 'list'> {
  switch (reason.toLowerCase()) {
    case 'bounced address':
      return { kind: 'dropped', list: 'bounces' };
    case 'spam reporting address':
      return { kind: 'dropped', list: 'complaints' };
    case 'unsubscribed address':
      return { kind: 'dropped', list: 'unsubscribes' };
    default:
      // Spam content, a wrong header, a used-up package: nobody else would have got it either.
      return /spam content|header|quota/i.test(reason)
        ? { kind: 'refused' }
        : { kind: 'dropped', list: 'other' };
  }
}
