// What the RCS platform pushes: what became of messages, and what people wrote, one thing a call.
// Pure. Easily got wrong: it is wrapped twice, and what is signed is the inner text, in the bytes
// that the outer one holds in base64. No event names our ids; the message's own is made of them
// (`channels/attempt-uuid.ts`).

import type { Millis } from '../../../engine/base/brand.ts';
import { parseInstant } from '../../events/instant.ts';
import type { News } from '../../sending/callbacks/receipt-state.ts';
import { idCharsMax, isJson, jsonIn, textOf } from '../callback-json.ts';
import type { Inbound } from '../carrier/callbacks.ts';
import { keywordIn } from '../keywords.ts';

/** One thing that was pushed. */
export type RcsEvent =
  /** Sent once, when the webhook is set up: the secret is to be answered. */
  | { readonly kind: 'verification'; readonly clientToken: string; readonly secret: string }
  /** The signed bytes. */
  | { readonly kind: 'pushed'; readonly data: Uint8Array }
  | { readonly kind: 'unknown' };

/** What the signed bytes say. */
export type RcsItem =
  | {
      readonly kind: 'status';
      readonly messageId: string;
      readonly address: string;
      readonly news: News;
    }
  | ({ readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound)
  | { readonly kind: 'unknown' };

/** The outer wrapping. */
export function rcsEvent(body: Uint8Array): RcsEvent {
  const whole = jsonIn(body) ?? {};
  const { clientToken, secret, message } = whole;
  if (typeof clientToken === 'string' && typeof secret === 'string')
    return { kind: 'verification', clientToken, secret };
  const data = isJson(message) ? message['data'] : undefined;
  return typeof data === 'string'
    ? { kind: 'pushed', data: Buffer.from(data, 'base64') }
    : { kind: 'unknown' };
}

/** The inner one. */
export function rcsItem(data: Uint8Array): RcsItem {
  const event = jsonIn(data) ?? {};
  const address = textOf(event['senderPhoneNumber']) || textOf(event['phoneNumber']);
  const atMs = instantOf(event['sendTime']);
  const eventType = textOf(event['eventType']);
  const messageId = textOf(event['messageId']);
  if (address === '') return { kind: 'unknown' };
  if (eventType === 'UNSUBSCRIBE' || eventType === 'SUBSCRIBE') {
    const id = textOf(event['eventId']).slice(0, idCharsMax);
    const keyword = eventType === 'UNSUBSCRIBE' ? 'stop' : 'start';
    return id === '' ? { kind: 'unknown' } : { kind: 'inbound', id, from: address, keyword, atMs };
  }
  if (eventType !== '') {
    const news = newsOf(eventType, atMs);
    if (news === undefined || messageId === '') return { kind: 'unknown' };
    return { kind: 'status', messageId, address, news };
  }
  const suggestion = event['suggestionResponse'];
  const text = textOf(event['text']) || textOf(isJson(suggestion) ? suggestion['text'] : undefined);
  if (messageId === '') return { kind: 'unknown' };
  const id = messageId.slice(0, idCharsMax);
  return { kind: 'inbound', id, from: address, keyword: keywordIn(text), atMs };
}

function newsOf(eventType: string, atMs: Millis | undefined): News | undefined {
  switch (eventType) {
    case 'DELIVERED':
      return { kind: 'arrived' };
    case 'READ':
      return { kind: 'read', ...(atMs === undefined ? {} : { atMs }) };
    case 'TTL_EXPIRATION_REVOKED':
      return { kind: 'failed', reason: 'expired', effect: 'none' };
    default:
      return undefined;
  }
}

/** RFC 3339, as Google writes it; nothing for another text. */
function instantOf(time: unknown): Millis | undefined {
  return typeof time === 'string' ? parseInstant(time) : undefined;
}
