// What an adapter would hand to its provider for one attempt, by the very function that the adapter
// calls: a table beside the registry, so that a preview composes nothing of its own. Pure. Apart
// from the registry, because actors ask it and have no use for the providers' code. Easily got
// wrong: it judges the message alone; credentials and relays are not asked.

import type { Millis, Seconds } from '../../engine/base/brand.ts';
import type { Attempt, Payload } from './adapter.ts';
import { secondsLeft } from './answers.ts';
import { apnsMessage } from './apns/apns-message.ts';
import { type CarrierForm, smsMessage } from './carrier/sms-message.ts';
import { voiceMessage } from './carrier/voice-message.ts';
import type { ChannelId } from './catalog.ts';
import { composeMail } from './email/email-content.ts';
import { marksOfPreview } from './email/mail-marks.ts';
import { fcmMessage } from './fcm/fcm-message.ts';
import { kakaoMessage } from './kakao/kakao-message.ts';
import { lineMessage } from './line/line-message.ts';
import type { Failure } from './outcome.ts';
import { rcsMessage } from './rcs/rcs-message.ts';
import { telegramMessage } from './telegram/telegram-message.ts';
import { viberMessage } from './viber/viber-message.ts';
import { webPushMessage } from './webpush/webpush-message.ts';
import { whatsappMessage } from './whatsapp/whatsapp-message.ts';
import { zaloMessage } from './zalo/zalo-message.ts';

type Compose = (attempt: Attempt, nowMs: Millis) => { readonly payload: Payload } | Failure;

const composers: Readonly<Record<ChannelId, Compose>> = {
  fcm: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (token, left) => fcmMessage(attempt, token, left, nowMs)),

  // The bundle id stands in a header, which a preview does not show.
  apns: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (_, left) => apnsMessage(attempt, 'sandbox', left, nowMs)),

  webpush(attempt) {
    const made = webPushMessage(attempt);
    return 'outcome' in made ? made : { payload: parsed(made.plaintext.toString()) };
  },

  email(attempt) {
    const made = composeMail(attempt, senderUnknown, marksOfPreview(attempt));
    if ('outcome' in made) return made;
    // The date and the Message-ID are those of a send; there is none.
    const { headers, dateMs: _date, messageId: _id, fromAddress, ...mail } = made;
    const sender = fromAddress === senderUnknown ? {} : { fromAddress };
    return { payload: { ...sender, ...mail, headers: Object.fromEntries(headers) } };
  },

  // The carrier's forms, without the sender, which the credential knows, and the callback, which is
  // a send's.
  sms: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (number, left) => asFields(smsMessage(attempt, number, left))),

  voice: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (number) => asFields(voiceMessage(attempt, number))),

  whatsapp: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (number) => whatsappMessage(attempt, number)),

  telegram: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (chat) => telegramMessage(attempt, chat)),

  rcs: (attempt, nowMs) => unlessExpired(attempt, nowMs, (_, left) => rcsMessage(attempt, left)),

  line: (attempt, nowMs) => unlessExpired(attempt, nowMs, () => lineMessage(attempt)),

  zalo: (attempt, nowMs) => unlessExpired(attempt, nowMs, () => zaloMessage(attempt)),

  // Without the sender's name, and below without profile and number, which the credential knows.
  viber: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (person) => viberMessage(attempt, person)),

  kakao: (attempt, nowMs) =>
    unlessExpired(attempt, nowMs, (number) => kakaoMessage(attempt, number)),
};

/**
 * The body that was made for this endpoint, unless the message's life is over. `left`: how much of
 * that there is.
 */
function unlessExpired(
  attempt: Attempt,
  nowMs: Millis,
  make: (endpoint: string, left: Seconds | undefined) => { readonly body: string } | Failure,
): { readonly payload: Payload } | Failure {
  const left = secondsLeft(attempt, nowMs);
  if (left === 'expired') return { outcome: 'permanent', reason: 'expired' };
  const made = make(typeof attempt.endpoint === 'string' ? attempt.endpoint : '', left);
  return 'outcome' in made ? made : { payload: parsed(made.body) };
}

/** A form as JSON. */
function asFields(
  made: { readonly form: CarrierForm } | Failure,
): { readonly body: string } | Failure {
  return 'outcome' in made ? made : { body: JSON.stringify(Object.fromEntries(made.form)) };
}

/** Stands for the operator's own sender, which only the adapter knows; it is never shown. */
const senderUnknown = 'sender@engage.invalid';

/** What would leave for this attempt, or why nothing could. */
export function payloadOf(
  attempt: Attempt,
  nowMs: Millis,
): { readonly payload: Payload } | Failure {
  return composers[attempt.channel](attempt, nowMs);
}

/** What was written as JSON a moment ago. */
function parsed(json: string): Payload {
  return JSON.parse(json) as Payload;
}
