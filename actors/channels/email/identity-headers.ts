// Headers by which mailbox providers tell mails apart. Pure.
//
// Feedback-ID: complaints by campaign in Gmail's Postmaster Tools. At most four fields, and the
// last names the sender with 5 to 15 characters, the same in every mail of its domain.
// List-ID (RFC 2919): filters of readers, who keep a topic or all mails of the app together.
// X-Entity-Ref-ID: Gmail shows receipts with one subject apart from each other.

import { createHash } from 'node:crypto';
import type { Attempt } from '../port/attempt.ts';
import { dropOldest } from '../port/bounded-cache.ts';
import { domainOf } from './address.ts';
import { streamOfAttempt } from './mail-tags.ts';
import { isMarketingMail } from './unsubscribe-ways.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** `from` is the address of the sender. */
export function identityHeaders(attempt: Attempt, from: string): Headers {
  const { appId, sendId, deviceId, email } = attempt;
  const domain = domainOf(from);
  const isMarketing = isMarketingMail(attempt);
  const program = email?.campaignId ?? email?.journeyId;
  const stream = email?.isTest === true ? 'marketing' : streamOfAttempt(attempt);
  const fields = [...(program === undefined ? [] : [program]), appId, stream, senderOf(domain)];
  const feedback = ['Feedback-ID', fields.join(':')] as const;
  if (!isMarketing) return [feedback, ['X-Entity-Ref-ID', `${sendId}.${deviceId}`]];
  const topic = email?.topic === undefined ? '' : `${email.topic}.`;
  return [feedback, ['List-ID', `<${topic}${appId}.${domain}>`]];
}

const sendersMax = 1_024;
const senders = new Map<string, string>();

/** Twelve letters and digits, by the domain alone. */
function senderOf(domain: string): string {
  let sender = senders.get(domain);
  if (sender === undefined) {
    sender = createHash('sha256').update(domain).digest('hex').slice(0, 12);
    dropOldest(senders, sendersMax);
    senders.set(domain, sender);
  }
  return sender;
}
