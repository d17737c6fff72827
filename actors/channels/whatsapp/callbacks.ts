// What a WhatsApp webhook's body says: statuses of messages, and what people wrote or chose, in
// their order. Pure. Easily got wrong: one body may batch many of both; whatever does not look like
// one is passed by, never the whole body with it, since a body that is refused comes again for
// seven days.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Effect, News } from '../../sending/callbacks/receipt-state.ts';
import {
  idCharsMax,
  isJson,
  type Json,
  jsonIn,
  jsonOf,
  listOf,
  secondsOf,
  textOf,
} from '../callback-json.ts';
import type { Inbound } from '../carrier/callbacks.ts';
import { type Keyword, keywordIn } from '../keywords.ts';
import { meaningOf } from './errors.ts';

/** One thing that a body says. */
export type WhatsappItem =
  /** Without our reference it is told of nothing that we sent. */
  | {
      readonly kind: 'status';
      readonly sendId: string;
      readonly deviceId: string;
      readonly address: string | undefined;
      readonly news: News;
    }
  | ({ readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound)
  | { readonly kind: 'unknown' };

/** Everything a body says; `undefined` where it is no JSON object. */
export function whatsappItems(body: Uint8Array): readonly WhatsappItem[] | undefined {
  const whole = jsonIn(body);
  if (whole === undefined) return undefined;
  return listOf(whole['entry']).flatMap((entry) =>
    listOf(entry['changes']).flatMap(({ value }) => {
      if (!isJson(value)) return [];
      return [
        ...listOf(value['statuses']).map(statusOf),
        ...listOf(value['messages']).map(inboundOf),
        ...listOf(value['user_preferences']).map(preferenceOf),
      ];
    }),
  );
}

function statusOf(status: Json): WhatsappItem {
  const [sendId = '', deviceId = ''] = textOf(status['biz_opaque_callback_data']).split(':');
  const news = newsOf(status);
  if (sendId === '' || deviceId === '' || news === undefined) return { kind: 'unknown' };
  return { kind: 'status', sendId, deviceId, address: numberOf(status['recipient_id']), news };
}

function newsOf(status: Json): News | undefined {
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

function failureOf(error: Json | undefined): { readonly reason: string; readonly effect: Effect } {
  const code = error?.['code'];
  if (typeof code !== 'number' || !Number.isSafeInteger(code))
    return { reason: 'failed', effect: 'none' };
  const [outcome, reason] = meaningOf(code, undefined) ?? ['permanent', `code_${code}`];
  return { reason, effect: outcome === 'dead' || outcome === 'opted_out' ? outcome : 'none' };
}

/** A text, a pressed button or a chosen answer. */
function inboundOf(message: Json): WhatsappItem {
  const id = textOf(message['id']).slice(0, idCharsMax);
  const from = numberOf(message['from']);
  if (id === '' || from === undefined) return { kind: 'unknown' };
  const button = jsonOf(message['button']);
  const reply = jsonOf(jsonOf(message['interactive'])['button_reply']);
  const said = [
    jsonOf(message['text'])['body'],
    button['text'],
    button['payload'],
    reply['title'],
    reply['id'],
  ];
  let keyword: Keyword | undefined;
  for (const text of said) keyword ??= keywordIn(textOf(text));
  return { kind: 'inbound', id, from, keyword, atMs: secondsOf(message['timestamp']) };
}

/** What somebody chose in WhatsApp itself about marketing: as good as having written it. */
function preferenceOf(preference: Json): WhatsappItem {
  const from = numberOf(preference['wa_id']);
  const value = preference['value'];
  const timestamp = textOf(preference['timestamp']) || String(preference['timestamp'] ?? '');
  if (from === undefined || preference['category'] !== 'marketing_messages')
    return { kind: 'unknown' };
  if (value !== 'stop' && value !== 'resume') return { kind: 'unknown' };
  const keyword = value === 'stop' ? 'stop' : 'start';
  const id = `preference ${value} ${timestamp}`.slice(0, idCharsMax);
  return { kind: 'inbound', id, from, keyword, atMs: secondsOf(preference['timestamp']) };
}

/** WhatsApp leaves the plus out. */
function numberOf(digits: unknown): string | undefined {
  return typeof digits === 'string' && /^\d{5,15}$/.test(digits) ? `+${digits}` : undefined;
}
