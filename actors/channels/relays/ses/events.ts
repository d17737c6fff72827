// Reads what Amazon SES reports through SNS, as an event destination writes it (`eventType`) or an
// identity's notifications do (`notificationType`). Source: SES Developer Guide, "Contents of event
// data that Amazon SES publishes to Amazon SNS".

import type { Millis } from '../../../../engine/base/brand.ts';
import { mailMark, mailMarkName } from '../../email/mail-mark.ts';
import { type Json, jsonIn, jsonOf, listOf, textOf } from '../../port/json.ts';
import type { ReadRelayCall, ReadRelayEvents, RelayEvent } from '../../port/relay-events.ts';
import { millisOfDate, relayEvent, replyIn, type SaidEvent } from '../event-parts.ts';
import type { SesConfig } from './kind.ts';
import { provenSnsMessage } from './sns-message.ts';

export const readSesEvents: ReadRelayEvents = async (call, config) => {
  const proven = await provenSnsMessage(call, (config as SesConfig).topicArn);
  if ('state' in proven) return proven;
  switch (proven.type) {
    case 'SubscriptionConfirmation': {
      const { subscribeUrl } = proven;
      if (subscribeUrl === undefined) return { state: 'refused', reason: 'signature' };
      // Without the visit SNS sends nothing: it must repeat its question.
      const visited = await call.fetchText(subscribeUrl);
      return { state: visited === undefined ? 'unavailable' : 'confirmed' };
    }
    case 'UnsubscribeConfirmation':
      return { state: 'read', events: [], ignored: 1 };
    case 'Notification':
      return readReport(proven.message, call.nowMs);
  }
};

function readReport(message: string, nowMs: Millis): ReadRelayCall {
  const report = jsonIn(Buffer.from(message));
  // SNS introduces itself in words when a destination is made.
  if (report === undefined) return { state: 'read', events: [], ignored: 1 };
  const mark = markOf(jsonOf(report['mail']));
  const said = saidIn(report);
  const events = said.flatMap((one): RelayEvent[] => {
    const event = relayEvent({ ...one, mark }, nowMs);
    return event === undefined ? [] : [event];
  });
  return { state: 'read', events, ignored: Math.max(said.length, 1) - events.length };
}

/** The tag; notifications have none, but the headers if the identity includes them. */
function markOf(mail: Json): unknown {
  const tagged = jsonOf(mail['tags'])[mailMarkName];
  if (Array.isArray(tagged)) return tagged[0];
  const headers = listOf(mail['headers']);
  const header = (name: string) =>
    textOf(headers.find((one) => textOf(one['name']).toLowerCase() === name)?.['value']);
  const sendId = header('x-engage-send-id');
  return sendId === '' ? undefined : mailMark({ sendId, deviceId: header('x-engage-device-id') });
}

type Said = Omit<SaidEvent, 'mark'>;

function saidIn(report: Json): readonly Said[] {
  const mail = jsonOf(report['mail']);
  const sentTo = textOf(arrayOf(mail['destination'])[0]);
  const at = (part: Json) => millisOfDate(textOf(part['timestamp']));
  switch (textOf(report['eventType']) || textOf(report['notificationType'])) {
    case 'Send':
      return [{ kind: 'accepted', atMs: at(mail), to: sentTo }];
    case 'Delivery': {
      const part = jsonOf(report['delivery']);
      const reply = replyIn(textOf(part['smtpResponse']));
      const all = arrayOf(part['recipients']).map(textOf);
      return all.map((to) => ({ kind: 'delivered', atMs: at(part), to, reply }));
    }
    case 'DeliveryDelay':
      return ofRecipients(jsonOf(report['deliveryDelay']), 'delayedRecipients', (part) => ({
        kind: 'deferred',
        detail: textOf(part['delayType']),
      }));
    case 'Subscription': {
      const part = jsonOf(report['subscription']);
      return hasLeft(part) ? [{ kind: 'unsubscribed', atMs: at(part), to: sentTo }] : [];
    }
    case 'Bounce':
      return ofRecipients(jsonOf(report['bounce']), 'bouncedRecipients', bounceKind);
    case 'Complaint':
      return ofRecipients(jsonOf(report['complaint']), 'complainedRecipients', complaintKind);
    case 'Reject': {
      const part = jsonOf(report['reject']);
      return [{ kind: 'refused', atMs: at(mail), to: sentTo, detail: textOf(part['reason']) }];
    }
    case 'Rendering Failure': {
      const part = jsonOf(report['failure']);
      return [
        { kind: 'refused', atMs: at(mail), to: sentTo, detail: textOf(part['errorMessage']) },
      ];
    }
    case 'Open': {
      const part = jsonOf(report['open']);
      return [{ kind: 'opened', atMs: at(part), to: sentTo, userAgent: textOf(part['userAgent']) }];
    }
    case 'Click': {
      const part = jsonOf(report['click']);
      const [url, userAgent] = [textOf(part['link']), textOf(part['userAgent'])];
      return [{ kind: 'clicked', atMs: at(part), to: sentTo, url, userAgent }];
    }
    default:
      return [];
  }
}

/** Whether a reader left the list of SES, or one of its topics. Coming back says nothing here. */
function hasLeft(part: Json): boolean {
  const now = jsonOf(part['newTopicPreferences']);
  if (now['unsubscribeAll'] === true) return true;
  const leftIn = (preferences: Json) =>
    listOf(preferences['topicSubscriptionStatus'])
      .filter((topic) => /^opt_?out$/i.test(textOf(topic['subscriptionStatus'])))
      .map((topic) => textOf(topic['topicName']));
  const before = new Set(leftIn(jsonOf(part['oldTopicPreferences'])));
  return leftIn(now).some((topic) => !before.has(topic));
}

/** One event for each recipient of a part; none if the part says nothing of the mail. */
function ofRecipients(
  part: Json,
  name: string,
  kindOf: (part: Json) => Pick<Said, 'kind' | 'detail' | 'list'> | undefined,
): readonly Said[] {
  const kind = kindOf(part);
  if (kind === undefined) return [];
  const atMs = millisOfDate(textOf(part['timestamp']));
  return listOf(part[name]).map((recipient) => {
    const to = bareAddress(textOf(recipient['emailAddress']));
    return { ...kind, atMs, to, reply: replyIn(textOf(recipient['diagnosticCode'])) };
  });
}

function bounceKind(part: Json): Pick<Said, 'kind' | 'detail' | 'list'> {
  const [type, subtype] = [textOf(part['bounceType']), textOf(part['bounceSubType'])];
  const detail = `${type} ${subtype}`;
  switch (subtype) {
    case 'Suppressed':
      // Amazon's own list has addresses that bounced for anybody.
      return { kind: 'dropped', detail, list: 'bounces' };
    case 'OnAccountSuppressionList':
      return { kind: 'dropped', detail, list: 'other' };
    case 'UnsubscribedRecipient':
      return { kind: 'dropped', detail, list: 'unsubscribes' };
    case 'MessageTooLarge':
    case 'ContentRejected':
    case 'AttachmentRejected':
      return { kind: 'refused', detail };
  }
  // Undetermined: SES could not read the bounce, and a lost customer costs more than a failure.
  return { kind: type === 'Permanent' ? 'hard_bounce' : 'soft_bounce', detail };
}

function complaintKind(part: Json): Pick<Said, 'kind' | 'detail' | 'list'> | undefined {
  if (part['complaintSubType'] === 'OnAccountSuppressionList')
    return { kind: 'dropped', detail: 'OnAccountSuppressionList', list: 'complaints' };
  const detail = textOf(part['complaintFeedbackType']);
  // The reader took a mail out of the spam folder.
  return detail === 'not-spam' ? undefined : { kind: 'complained', detail };
}

/** Without the name that some servers return with an address. */
function bareAddress(text: string): string {
  return /<([^<>]{1,320})>/.exec(text.slice(0, 1_000))?.[1] ?? text;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
