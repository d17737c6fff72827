// What an adapter would hand to its provider for one attempt, by the very function that the adapter calls: a table beside
// the registry, so that a preview composes nothing of its own. Pure. Apart from the registry, because actors ask it and
// have no use for the providers' code. Easily got wrong: it judges the message alone; credentials and relays are not asked.

import type { Millis } from '../../engine/base/brand.ts';
import type { Attempt } from './adapter.ts';
import { type Failure, secondsLeft } from './answers.ts';
import { apnsMessage } from './apns-message.ts';
import type { BuiltChannel } from './built.ts';
import { composeMail } from './email-content.ts';
import { fcmMessage } from './fcm-message.ts';
import { webPushMessage } from './webpush-message.ts';

/**
 * A provider's request body as JSON: FCM's message, APNs' payload, what a service worker reads once it is decrypted, or a mail's sender,
 * headers and parts before they are encoded.
 */
export type Payload = Readonly<Record<string, unknown>>;

type Compose = (attempt: Attempt, nowMs: Millis) => { readonly payload: Payload } | Failure;

const composers: Readonly<Record<BuiltChannel, Compose>> = {
  fcm(attempt, nowMs) {
    const left = secondsLeft(attempt, nowMs);
    if (left === 'expired') return { outcome: 'permanent', reason: 'expired' };
    const token = typeof attempt.endpoint === 'string' ? attempt.endpoint : '';
    const made = fcmMessage(attempt, token, left, nowMs);
    return 'outcome' in made ? made : { payload: parsed(made.body) };
  },

  apns(attempt, nowMs) {
    const left = secondsLeft(attempt, nowMs);
    if (left === 'expired') return { outcome: 'permanent', reason: 'expired' };
    // The bundle id stands in a header, which a preview does not show.
    const made = apnsMessage(attempt, 'sandbox', left, nowMs);
    return 'outcome' in made ? made : { payload: parsed(made.body) };
  },

  webpush(attempt) {
    const made = webPushMessage(attempt);
    return 'outcome' in made ? made : { payload: parsed(made.plaintext.toString()) };
  },

  email(attempt) {
    const made = composeMail(attempt, senderUnknown);
    if ('outcome' in made) return made;
    // The date and the Message-ID are those of a send; there is none.
    const { headers, dateMs: _date, messageId: _id, fromAddress, ...mail } = made;
    const sender = fromAddress === senderUnknown ? {} : { fromAddress };
    return { payload: { ...sender, ...mail, headers: Object.fromEntries(headers) } };
  },
};

/** Stands for the operator's own sender, which only the adapter knows; it is never shown. */
const senderUnknown = 'sender@engage.invalid';

/** What would leave for this attempt, or why nothing could; `undefined` on a channel that has no adapter yet. */
export function payloadOf(
  attempt: Attempt,
  nowMs: Millis,
): { readonly payload: Payload } | Failure | undefined {
  const compose = (composers as Readonly<Partial<Record<string, Compose>>>)[attempt.channel];
  return compose?.(attempt, nowMs);
}

/** What was written as JSON a moment ago. */
function parsed(json: string): Payload {
  return JSON.parse(json) as Payload;
}
