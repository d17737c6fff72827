// What a relay's reply means for the send. Pure. `reply-rules.ts` judges the words; here they meet
// the stage and the code: only a 5xx about the recipient may disable a device.

import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { failure } from '../port/answers.ts';
import type { Failure, Outcome } from '../port/outcome.ts';
import { domainOf } from './address.ts';
import { recipientStages, ruleOf, saidBy } from './judge-reply.ts';
import { senderRefusals } from './sender-refusals.ts';
import type { SmtpReply, SmtpResult, SmtpStage } from './smtp-reply.ts';

/**
 * One email's outcome. Removes the addresses from the relay's words. `to` is the recipient, whose
 * domain a pause belongs to if it alone asks for one.
 */
export function emailOutcome(
  result: SmtpResult,
  messageId: string,
  { to, from }: { readonly to: string; readonly from: string },
): Outcome {
  switch (result.kind) {
    case 'accepted':
      return {
        outcome: 'accepted',
        providerMessageId: messageId,
        ...(result.copiesRefused === undefined ? {} : { copiesRefused: result.copiesRefused }),
      };
    case 'unanswered':
      return { outcome: 'ambiguous', reason: result.reason };
    case 'unsent':
      if (result.failure !== undefined) return result.failure;
      // The operator's relay is misconfigured: every message fails until someone acts.
      if (result.stage === 'tls' || result.stage === 'auth') {
        return isTransport(result.reason)
          ? { outcome: 'retry', reason: result.reason }
          : { outcome: 'config', reason: result.stage === 'tls' ? 'relay_tls' : result.reason };
      }
      if (result.reason === 'relay_not_found' || result.reason === 'private_address')
        return { outcome: 'config', reason: result.reason };
      return { outcome: 'retry', reason: result.reason };
    case 'refused':
      return refusal(result.stage, result.reply, { to, from });
  }
}

/** A refusal that arrives later, as a bounce. */
export function lateOutcome(reply: SmtpReply): Failure {
  return refusal('rcpt', reply, { to: '', from: '' });
}

function isTransport(reason: string): boolean {
  return reason === 'timeout' || reason === 'connection_lost';
}

function refusal(
  stage: SmtpStage,
  reply: SmtpReply,
  { to, from }: { readonly to: string; readonly from: string },
): Failure {
  const { code } = reply;
  const say = (outcome: Failure['outcome'], reason: string) =>
    failure(outcome, reason, `${code} ${reply.text}`, [to, from]);

  if (code === 530 || code === 534 || code === 535) return say('config', 'relay_authentication');
  const rule = ruleOf(reply, stage);
  const isFinal = code >= 500;
  switch (rule?.judged) {
    case 'slow_down':
    case 'slow_down_domain': {
      const names = rule.judged === 'slow_down_domain' || namesDomain(reply, domainOf(to));
      const isNamed = to !== '' && names && recipientStages.has(stage);
      return { ...say('rate', rule.reason), ...(isNamed && { domain: domainOf(to) }) };
    }
    case 'later':
      return { ...say('retry', rule.reason), retryAfterMs: laterMs };
  }
  if (!isFinal) {
    if (rule?.judged === 'sender') return say('retry', rule.reason);
    return say('retry', code === 421 ? 'relay_busy' : 'deferred');
  }
  if (stage === 'greeting' || stage === 'auth' || stage === 'tls')
    return say('config', 'relay_refused');
  // The relay refuses this sender; it did not check the recipient. 552: the size (RFC 1870).
  if (stage === 'mail') {
    if (rule?.reason === 'message_too_large' || (code === 552 && rule === undefined))
      return say('permanent', 'message_too_large');
    return say('config', rule?.judged === 'sender' ? rule.reason : senderRefusals[2]);
  }
  if (rule === undefined) return say('permanent', 'refused');
  if (rule.judged !== 'dead') return say('permanent', rule.reason);
  return namesSender(reply, { to, from })
    ? say('permanent', senderRefusals[2])
    : say('dead', rule.reason);
}

/** Whether a reply speaks of our address or domain, and not of the recipient. */
function namesSender(
  reply: SmtpReply,
  { to, from }: { readonly to: string; readonly from: string },
): boolean {
  const { marks: said } = saidBy(reply);
  if (from === '' || (to !== '' && said.includes(to.toLowerCase()))) return false;
  if (said.includes(from.toLowerCase())) return true;
  const domain = domainOf(from).toLowerCase();
  return domain !== domainOf(to).toLowerCase() && isWordIn(said, domain);
}

/** No mailbox gets room, or takes more mail, within seconds. */
const laterMs: Millis = 5 * minuteMs;

/** Whether a limit is said of the recipient's domain, apart from their address. */
function namesDomain(reply: SmtpReply, domain: string): boolean {
  const { words } = saidBy(reply);
  return isWordIn(words, domain) && words[words.indexOf(domain) - 1] !== '@';
}

function isWordIn(text: string, domain: string): boolean {
  const at = domain === '' ? -1 : text.indexOf(domain);
  if (at < 0) return false;
  return !/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + domain.length] ?? ' ');
}
