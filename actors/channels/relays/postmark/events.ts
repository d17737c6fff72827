// Reads Postmark's webhooks, proved by the password of their address. Source: Postmark, "Webhooks"
// and "Bounce types".

import { mailMarkName } from '../../email/mail-mark.ts';
import { type Json, jsonIn, jsonOf, textOf } from '../../port/json.ts';
import type { ReadRelayEvents } from '../../port/relay-events.ts';
import { millisOfDate, relayEvent, replyIn, type SaidEvent } from '../event-parts.ts';
import { isRecentEvent, showsSecret } from '../shared-secret.ts';
import type { PostmarkConfig } from './kind.ts';

export const readPostmarkEvents: ReadRelayEvents = async (call, config) => {
  const { eventsPassword } = config as PostmarkConfig;
  if (eventsPassword === undefined || !showsSecret(call, eventsPassword))
    return { state: 'refused', reason: 'signature' };
  const body = jsonIn(call.body);
  if (body === undefined || textOf(body['RecordType']) === '')
    return { state: 'refused', reason: 'unreadable' };
  const said = saidIn(body);
  if (!isRecentEvent(said?.atMs, call.nowMs)) return { state: 'refused', reason: 'too_old' };
  const event = said && relayEvent(said, call.nowMs);
  return event === undefined
    ? { state: 'read', events: [], ignored: 1 }
    : { state: 'read', events: [event], ignored: 0 };
};

/** `undefined` for what says nothing of a mail's fate. */
function saidIn(body: Json): SaidEvent | undefined {
  const mark = jsonOf(body['Metadata'])[mailMarkName];
  const at = (name: string) => millisOfDate(textOf(body[name]));
  const to = textOf(body['Recipient']) || textOf(body['Email']);
  const userAgent = textOf(body['UserAgent']);
  switch (body['RecordType']) {
    case 'Delivery':
      return {
        ...{ kind: 'delivered', mark, atMs: at('DeliveredAt'), to },
        reply: replyIn(textOf(body['Details'])),
      };
    case 'Bounce': {
      const meant = meaningOfBounce(textOf(body['Type']));
      if (meant === undefined) return undefined;
      const words = textOf(body['Details']);
      const detail = `${textOf(body['Type'])}: ${words || textOf(body['Description'])}`;
      return { ...meant, mark, atMs: at('BouncedAt'), to, detail, reply: replyIn(words) };
    }
    case 'SpamComplaint':
      return { kind: 'complained', mark, atMs: at('BouncedAt'), to };
    case 'Open':
      return { kind: 'opened', mark, atMs: at('ReceivedAt'), to, userAgent };
    case 'Click': {
      const url = textOf(body['OriginalLink']);
      return { kind: 'clicked', mark, atMs: at('ReceivedAt'), to, userAgent, url };
    }
    case 'SubscriptionChange':
      return changeOf(body, { mark, atMs: at('ChangedAt'), to });
    default:
      return undefined;
  }
}

/**
 * Servers that post no bounces may still tell why an address came onto the list. Who is taken off
 * it has not consented here.
 */
function changeOf(
  body: Json,
  base: Pick<SaidEvent, 'mark' | 'atMs' | 'to'>,
): SaidEvent | undefined {
  if (body['SuppressSending'] !== true) return undefined;
  switch (body['SuppressionReason']) {
    case 'HardBounce':
      return { ...base, kind: 'hard_bounce', detail: 'HardBounce' };
    case 'SpamComplaint':
      return { ...base, kind: 'complained' };
    case 'ManualSuppression':
      // Others than the recipient name no mail, and their lists are theirs.
      return body['Origin'] === 'Recipient' ? { ...base, kind: 'unsubscribed' } : undefined;
    default:
      return undefined;
  }
}

function meaningOfBounce(type: string): Pick<SaidEvent, 'kind' | 'list'> | undefined {
  switch (type) {
    case 'HardBounce':
    case 'BadEmailAddress':
      return { kind: 'hard_bounce' };
    case 'Transient':
      return { kind: 'deferred' };
    case 'SoftBounce':
    case 'DnsError':
    case 'Unknown':
    case 'ChallengeVerification':
      return { kind: 'soft_bounce' };
    case 'SpamComplaint':
      return { kind: 'complained' };
    case 'SpamNotification':
    case 'VirusNotification':
    case 'Blocked':
    case 'DMARCPolicy':
    case 'SMTPApiError':
    case 'TemplateRenderingFailed':
      return { kind: 'refused' };
    case 'ManuallyDeactivated':
    case 'Unconfirmed':
      return { kind: 'dropped', list: 'other' };
    default:
      // AutoResponder, AddressChange, Subscribe and the like: a person or a program answered.
      return undefined;
  }
}
