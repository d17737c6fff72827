// WhatsApp's webhook: many statuses and inbound messages per body, in order. Pure. An unknown item
// is skipped, never the whole body, since Meta repeats a refused body for seven days.

import { createHmac } from 'node:crypto';
import { isObject } from '../../is-object.ts';
import {
  type CallbackItem,
  idCharsMax,
  unknownItem,
  type WebhookReader,
} from '../port/callback-item.ts';
import type { DeliveryReport, ReportEffect } from '../port/delivery-report.ts';
import { type Json, jsonIn, jsonOf, listOf, secondsOf, textOf } from '../port/json.ts';
import { isSameSecret } from '../port/same-secret.ts';
import { saidIn } from '../words/keywords.ts';
import type { WhatsAppCredential } from './channel.ts';
import { whatsappMeaning } from './errors.ts';

export const whatsappWebhook: WebhookReader = {
  secret: 'appSecret',
  wanted: (credential, body) => {
    const { appSecret } = credential as WhatsAppCredential;
    return appSecret && `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  },
  items: itemsIn,
};

export function subscribeProblem(
  credential: unknown,
  mode: string | undefined,
  verifyToken: string | undefined,
): string | undefined {
  if (credential === undefined)
    return 'no whatsapp credential is stored, so the request cannot be verified';
  if (mode !== 'subscribe') return 'hub.mode: expected subscribe';
  const wanted = (credential as WhatsAppCredential).verifyToken;
  if (verifyToken !== undefined && isSameSecret(wanted, verifyToken)) return undefined;
  return 'hub.verify_token: does not match the verifyToken of the stored whatsapp credential';
}

function itemsIn(body: Uint8Array): readonly CallbackItem[] {
  const whole = jsonIn(body);
  if (whole === undefined) return [unknownItem];
  return listOf(whole['entry']).flatMap((entry) =>
    listOf(entry['changes']).flatMap(({ value }) => {
      if (!isObject(value)) return [];
      return [
        ...listOf(value['statuses']).map(statusOf),
        ...listOf(value['messages']).map(inboundOf),
        ...listOf(value['user_preferences']).map(preferenceOf),
      ];
    }),
  );
}

function statusOf(status: Json): CallbackItem {
  const [sendId = '', deviceId = ''] = textOf(status['biz_opaque_callback_data']).split(':');
  const news = reportOf(status);
  // Without our reference it is not about a message of ours.
  if (sendId === '' || deviceId === '' || news === undefined) return unknownItem;
  const address = numberOf(status['recipient_id']);
  const addresses = address === undefined ? [] : [address];
  return { kind: 'status', sendId, deviceId, addresses, news };
}

function reportOf(status: Json): DeliveryReport | undefined {
  switch (status['status']) {
    case 'sent':
      return { kind: 'taken' };
    case 'delivered':
      return { kind: 'arrived' };
    case 'read':
    case 'played': {
      const atMs = secondsOf(status['timestamp']);
      return { kind: 'read', ...(atMs === undefined ? {} : { atMs }) };
    }
    case 'failed':
      return { kind: 'failed', ...failureOf(listOf(status['errors'])[0]) };
    default:
      return undefined;
  }
}

function failureOf(error: Json | undefined): {
  readonly reason: string;
  readonly effect: ReportEffect;
} {
  const code = error?.['code'];
  if (typeof code !== 'number' || !Number.isSafeInteger(code))
    return { reason: 'failed', effect: 'none' };
  const [outcome, reason] = whatsappMeaning(code, undefined) ?? ['permanent', `code_${code}`];
  return { reason, effect: outcome === 'dead' || outcome === 'opted_out' ? outcome : 'none' };
}

function inboundOf(message: Json): CallbackItem {
  const id = textOf(message['id']).slice(0, idCharsMax);
  const from = numberOf(message['from']);
  if (id === '' || from === undefined) return unknownItem;
  if (message['type'] === 'system') return systemOf(id, from, message);
  const button = jsonOf(message['button']);
  const chosen = jsonOf(message['interactive']);
  const reply = jsonOf(chosen['button_reply'] ?? chosen['list_reply']);
  const texts = [
    jsonOf(message['text'])['body'],
    button['text'],
    button['payload'],
    reply['title'],
    reply['id'],
  ];
  const atMs = secondsOf(message['timestamp']);
  const name = textOf(jsonOf(message['context'])['id']);
  const answers = name === '' ? {} : { answers: { name } };
  return { kind: 'inbound', id, from, ...saidIn(...texts.map(textOf)), atMs, ...answers };
}

/** What WhatsApp says about a person in their chat: a preference, or another number. */
function systemOf(id: string, from: string, message: Json): CallbackItem {
  const system = jsonOf(message['system']);
  switch (system['type']) {
    case 'user_preference_changed':
    case 'user_preferences': {
      const keyword = preferenceIn(system['marketing']) ?? preferenceIn(system['body']);
      if (keyword === undefined) return unknownItem;
      return { ...ofPreference, id, from, keyword, atMs: secondsOf(message['timestamp']) };
    }
    case 'user_changed_number':
    case 'customer_changed_number': {
      const to = numberOf(system['new_wa_id'] ?? system['wa_id']);
      return to === undefined || to === from ? unknownItem : { kind: 'moved', id, from, to };
    }
    default:
      return unknownItem;
  }
}

const ofPreference = { kind: 'inbound', about: 'marketing', reason: 'preference' } as const;

/** From `stop` and `resume`, or Meta's sentence about it. */
function preferenceIn(value: unknown): 'stop' | 'start' | undefined {
  const [, stops, resumes] = /\b(?:(stop)|(resum))/i.exec(textOf(value)) ?? [];
  if (stops !== undefined) return 'stop';
  return resumes === undefined ? undefined : 'start';
}

/** A marketing preference set in WhatsApp: STOP and START of marketing alone. */
function preferenceOf(preference: Json): CallbackItem {
  const from = numberOf(preference['wa_id']);
  const value = preference['value'];
  const timestamp = textOf(preference['timestamp']) || String(preference['timestamp'] ?? '');
  if (from === undefined || preference['category'] !== 'marketing_messages') return unknownItem;
  const keyword = preferenceIn(value);
  if (keyword === undefined) return unknownItem;
  const id = `preference ${value} ${timestamp}`.slice(0, idCharsMax);
  return { ...ofPreference, id, from, keyword, atMs: secondsOf(preference['timestamp']) };
}

/** WhatsApp omits the plus. */
function numberOf(digits: unknown): string | undefined {
  return typeof digits === 'string' && /^\d{5,15}$/.test(digits) ? `+${digits}` : undefined;
}
