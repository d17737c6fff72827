// What a relay's reply means. Pure. Only a reply about the recipient may disable a device. A bare
// 550 also covers bad senders and blocked content, so the enhanced code decides, or the words if
// there is none. RFC 3463, RFC 5321 4.2, and replies of large receivers.

import { failure } from '../answers.ts';
import type { Outcome } from '../outcome.ts';
import type { SmtpReply, SmtpResult, SmtpStage } from './smtp-reply.ts';

/** Enhanced codes for a mailbox that does not exist. */
const deadCodes: ReadonlyMap<string, string> = new Map([
  ['5.1.1', 'mailbox_not_found'],
  ['5.1.2', 'domain_not_found'],
  ['5.1.3', 'bad_address'],
  ['5.1.6', 'mailbox_moved'],
  ['5.1.10', 'domain_takes_no_mail'],
  ['5.2.1', 'mailbox_disabled'],
]);

const unknownUser =
  /user unknown|unknown user|no such|does(n't| not) exist|mailbox (is )?(unavailable|not found)|invalid (recipient|mailbox)|recipient (address )?rejected: user|not our customer/i;
const throttled = /too many|rate limit|throttl|try again later.*limit|exceeded.*(rate|limit)/i;
/** The sender's domain is misconfigured: DMARC, reverse DNS and Outlook's sender rules. */
const senderCodes: ReadonlySet<string> = new Set([
  '5.7.23',
  '5.7.25',
  '5.7.26',
  '5.7.27',
  '5.7.515',
]);

/** One email's outcome. Removes `secrets`, above all the address, from the relay's words. */
export function emailOutcome(
  result: SmtpResult,
  messageId: string,
  secrets: readonly string[],
): Outcome {
  switch (result.kind) {
    case 'accepted':
      return { outcome: 'accepted', providerMessageId: messageId };
    case 'unanswered':
      return { outcome: 'ambiguous', reason: result.reason };
    case 'unsent':
      // The operator's relay is misconfigured: every message fails until someone acts.
      if (result.stage === 'tls' || result.stage === 'auth') {
        return isTransport(result.reason)
          ? { outcome: 'retry', reason: result.reason }
          : { outcome: 'config', reason: result.stage === 'tls' ? 'relay_tls' : result.reason };
      }
      if (result.reason === 'relay_not_found') return { outcome: 'config', reason: result.reason };
      return { outcome: 'retry', reason: result.reason };
    case 'refused':
      return refusal(result.stage, result.reply, secrets);
  }
}

/** A refusal that arrives later, as a bounce. */
export function lateOutcome(reply: SmtpReply): Exclude<Outcome, { outcome: 'accepted' }> {
  return refusal('rcpt', reply, []);
}

function isTransport(reason: string): boolean {
  return reason === 'timeout' || reason === 'connection_lost';
}

function refusal(
  stage: SmtpStage,
  reply: SmtpReply,
  secrets: readonly string[],
): Exclude<Outcome, { outcome: 'accepted' }> {
  const { code, enhanced = '' } = reply;
  const words = `${code} ${reply.text}`;
  const say = (outcome: Parameters<typeof failure>[0], reason: string) =>
    failure(outcome, reason, words, secrets);

  if (code === 530 || code === 534 || code === 535) return say('config', 'relay_authentication');
  if (code < 500) {
    if (enhanced === '4.7.28' || throttled.test(reply.text)) return say('rate', 'throttled');
    if (enhanced === '4.2.2') return say('retry', 'mailbox_full');
    return say('retry', code === 421 ? 'relay_busy' : 'deferred');
  }
  if (stage === 'greeting' || stage === 'auth' || stage === 'tls')
    return say('config', 'relay_refused');
  if (enhanced === '5.3.4' || enhanced === '5.2.3' || code === 552) {
    // Older servers use 552 for "mailbox full" as well.
    return /full|quota|over ?limit/i.test(reply.text) || enhanced === '5.2.2'
      ? say('retry', 'mailbox_full')
      : say('permanent', 'message_too_large');
  }
  // The relay refuses this sender; it did not check the recipient.
  if (stage === 'mail') return say('config', 'sender_refused');

  const dead = deadCodes.get(enhanced);
  if (dead !== undefined) return say('dead', dead);
  if (enhanced === '5.2.2') return say('retry', 'mailbox_full');
  if (enhanced.startsWith('5.4.')) return say('retry', 'routing');
  if (enhanced.startsWith('5.6.')) return say('permanent', 'content_refused');
  if (senderCodes.has(enhanced)) return say('permanent', 'sender_not_authenticated');
  if (enhanced.startsWith('5.7.')) return say('permanent', 'policy');
  if (enhanced === '' && stage === 'rcpt' && unknownUser.test(reply.text)) {
    return say('dead', 'mailbox_not_found');
  }
  return say('permanent', 'refused');
}
