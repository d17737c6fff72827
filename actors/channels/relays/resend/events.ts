// Reads Resend's webhooks, signed by Standard Webhooks. Source: Resend, "Webhooks", and
// standardwebhooks.com. The time is that of each attempt, so a call older than five minutes is a
// replay.

import { createHmac } from 'node:crypto';
import { type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { mailMarkName } from '../../email/mail-mark.ts';
import { type Json, jsonIn, jsonOf, secondsOf, textOf } from '../../port/json.ts';
import type { ReadRelayEvents, RelayCall } from '../../port/relay-events.ts';
import { isSameSecret } from '../../port/same-secret.ts';
import { millisOfDate, relayEvent, replyIn, type SaidEvent } from '../event-parts.ts';
import type { ResendConfig } from './kind.ts';

const skewMsMax: Millis = 5 * minuteMs;
/** A secret that is being replaced signs beside the new one. */
const signaturesMax = 8;

export const readResendEvents: ReadRelayEvents = async (call, config) => {
  const { signingSecret } = config as ResendConfig;
  if (signingSecret === undefined || !isSigned(call, signingSecret))
    return { state: 'refused', reason: 'signature' };
  const atMs = secondsOf(call.headers['svix-timestamp']);
  if (atMs === undefined || Math.abs(call.nowMs - atMs) > skewMsMax)
    return { state: 'refused', reason: 'too_old' };
  const body = jsonIn(call.body);
  if (body === undefined) return { state: 'refused', reason: 'unreadable' };
  const said = saidIn(body);
  const event = said && relayEvent(said, call.nowMs);
  return event === undefined
    ? { state: 'read', events: [], ignored: 1 }
    : { state: 'read', events: [event], ignored: 0 };
};

function isSigned({ headers, body }: RelayCall, secret: string): boolean {
  const id = headers['svix-id'] ?? '';
  const time = headers['svix-timestamp'] ?? '';
  if (id === '' || time === '' || id.length > 256 || time.length > 32) return false;
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const given = (headers['svix-signature'] ?? '').slice(0, 1_024).split(' ', signaturesMax);
  return given.some((one) => isSameSecret(`v1,${mac}`, one));
}

/** `undefined` for what says nothing of a mail's fate. */
function saidIn(body: Json): SaidEvent | undefined {
  const data = jsonOf(body['data']);
  const recipients = Array.isArray(data['to']) ? data['to'] : [];
  const base = {
    mark: markIn(data['tags']),
    atMs: millisOfDate(textOf(body['created_at'])),
    to: recipients.length === 1 ? textOf(recipients[0]) : '',
  };
  switch (body['type']) {
    case 'email.sent':
      return { ...base, kind: 'accepted' };
    case 'email.delivered':
      return { ...base, kind: 'delivered' };
    case 'email.delivery_delayed':
      return { ...base, kind: 'deferred' };
    case 'email.bounced':
      return { ...base, ...bounced(jsonOf(data['bounce'])) };
    case 'email.complained':
      return { ...base, kind: 'complained' };
    case 'email.failed':
      return { ...base, kind: 'refused', detail: textOf(jsonOf(data['failed'])['reason']) };
    case 'email.suppressed': {
      const { message, type } = jsonOf(data['suppressed']);
      return { ...base, kind: 'dropped', list: listIn(textOf(type)), detail: textOf(message) };
    }
    case 'email.opened': {
      const userAgent = textOf(jsonOf(data['open'])['userAgent']);
      return { ...base, kind: 'opened', userAgent };
    }
    case 'email.clicked': {
      const { link, userAgent } = jsonOf(data['click']);
      return { ...base, kind: 'clicked', url: textOf(link), userAgent: textOf(userAgent) };
    }
    default:
      return undefined;
  }
}

/** Tags are an object by name; some events list them as the call did. */
function markIn(tags: unknown): unknown {
  if (!Array.isArray(tags)) return jsonOf(tags)[mailMarkName];
  return tags.map(jsonOf).find(({ name }) => name === mailMarkName)?.['value'];
}

function bounced(bounce: Json): Pick<SaidEvent, 'kind' | 'list' | 'detail' | 'reply'> {
  const [type, subtype] = [textOf(bounce['type']), textOf(bounce['subType'])];
  const diagnostics = Array.isArray(bounce['diagnosticCode']) ? bounce['diagnosticCode'] : [];
  const reply = replyIn(textOf(diagnostics[0] ?? bounce['diagnosticCode']));
  const detail = `${type} ${subtype}: ${textOf(bounce['message'])}`;
  switch (subtype) {
    case 'Suppressed':
      return { kind: 'dropped', list: 'bounces', detail };
    case 'OnAccountSuppressionList':
      return { kind: 'dropped', list: 'other', detail };
    case 'MessageTooLarge':
    case 'ContentRejected':
    case 'AttachmentRejected':
      return { kind: 'refused', detail, reply };
  }
  return { kind: type === 'Permanent' ? 'hard_bounce' : 'soft_bounce', detail, reply };
}

function listIn(type: string): NonNullable<SaidEvent['list']> {
  if (/bounce/i.test(type)) return 'bounces';
  if (/complaint/i.test(type)) return 'complaints';
  return /unsubscribe/i.test(type) ? 'unsubscribes' : 'other';
}
