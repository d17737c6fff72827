// The RCS webhook: delivery reports and inbound messages, one per call. Pure. The event is wrapped
// twice; the signature covers the inner text, base64-decoded from the outer one. Events name only
// our message id, which our ids can be read from (`channels/port/attempt-uuid.ts`).

import { createHmac } from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import { parseInstant } from '../../../engine/time/instant.ts';
import { isObject } from '../../is-object.ts';
import { type CallbackItem, idCharsMax, unknownItem } from '../port/callback-item.ts';
import type { DeliveryReport } from '../port/delivery-report.ts';
import { jsonIn, jsonOf, textOf } from '../port/json.ts';
import { postbackSend, postbackText } from '../port/postback.ts';
import { isSameSecret } from '../port/same-secret.ts';
import { saidIn } from '../words/keywords.ts';
import type { RcsCredential } from './channel.ts';

type RcsEvent =
  /** Sent once at webhook setup: the response must contain the secret. */
  | { readonly kind: 'verification'; readonly clientToken: string; readonly secret: string }
  /** The signed bytes. */
  | { readonly kind: 'pushed'; readonly data: Uint8Array }
  | { readonly kind: 'unknown' };

export function rcsProblem(
  credential: unknown,
  event: RcsEvent,
  signature: string | undefined,
): string | undefined {
  if (credential === undefined || credential === null)
    return 'clientToken: there is no rcs credential, so the request cannot be verified';
  const { clientToken } = credential as Partial<RcsCredential>;
  if (clientToken === undefined || clientToken === '')
    return 'clientToken: is missing in the stored rcs credential, so the request cannot be verified';
  switch (event.kind) {
    case 'verification':
      return isSameSecret(clientToken, event.clientToken)
        ? undefined
        : 'clientToken: does not match the stored rcs credential';
    case 'unknown':
      return 'message.data: is missing; expected the signed data in base64';
    case 'pushed': {
      if (signature === undefined)
        return 'x-goog-signature: is missing; expected the signature of message.data';
      const wanted = createHmac('sha512', clientToken).update(event.data).digest('base64');
      if (isSameSecret(wanted, signature)) return undefined;
      return 'x-goog-signature: does not match message.data and the stored clientToken';
    }
  }
}

export function rcsEvent(body: Uint8Array): RcsEvent {
  const whole = jsonIn(body) ?? {};
  const { clientToken, secret, message } = whole;
  if (typeof clientToken === 'string' && typeof secret === 'string')
    return { kind: 'verification', clientToken, secret };
  const data = isObject(message) ? message['data'] : undefined;
  return typeof data === 'string'
    ? { kind: 'pushed', data: Buffer.from(data, 'base64') }
    : { kind: 'unknown' };
}

export function rcsItem(data: Uint8Array): CallbackItem {
  const event = jsonIn(data) ?? {};
  const address = textOf(event['senderPhoneNumber']) || textOf(event['phoneNumber']);
  const atMs = instantOf(event['sendTime']);
  const eventType = textOf(event['eventType']);
  const messageId = textOf(event['messageId']);
  if (address === '') return unknownItem;
  if (eventType === 'UNSUBSCRIBE' || eventType === 'SUBSCRIBE') {
    const id = textOf(event['eventId']).slice(0, idCharsMax);
    const keyword = eventType === 'UNSUBSCRIBE' ? 'stop' : 'start';
    return id === '' ? unknownItem : { kind: 'inbound', id, from: address, keyword, atMs };
  }
  if (eventType !== '') {
    const news = reportOf(eventType, atMs);
    if (news === undefined || messageId === '') return unknownItem;
    return { kind: 'status', uuid: messageId, addresses: [address], news };
  }
  const pressed = jsonOf(event['suggestionResponse']);
  const postback = textOf(pressed['postbackData']);
  const texts = [textOf(event['text']), textOf(pressed['text']), postbackText(postback)];
  const send = postbackSend(postback);
  const answers = send === undefined ? {} : { answers: send };
  if (messageId === '') return unknownItem;
  const id = messageId.slice(0, idCharsMax);
  return { kind: 'inbound', id, from: address, ...saidIn(...texts), atMs, ...answers };
}

function reportOf(eventType: string, atMs: Millis | undefined): DeliveryReport | undefined {
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

/** RFC 3339; `undefined` for another text. */
function instantOf(time: unknown): Millis | undefined {
  return typeof time === 'string' ? parseInstant(time) : undefined;
}
