// How all adapters read a response: no response, Retry-After, refusals, the provider's words made
// safe to store, and the remaining lifetime. Pure.

import { hourMs, type Millis, type Seconds } from '../../../engine/base/brand.ts';
import type { OutboundResult } from '../outbound/outbound-call.ts';
import type { Attempt } from './attempt.ts';
import type { Failure } from './outcome.ts';

export type ProviderResponse = Extract<OutboundResult, { kind: 'answered' }>;

/** A call without a response: `unsent` is a plain retry; `unanswered` may have been processed. */
export function unreached(result: Exclude<OutboundResult, { kind: 'answered' }>): Failure {
  switch (result.kind) {
    case 'unsent':
      if (result.reason === 'invalid_request')
        return { outcome: 'permanent', reason: 'invalid_request' };
      return {
        outcome: 'retry',
        reason: result.reason === 'connect' ? 'connection_refused' : result.reason,
      };
    case 'unanswered':
      return { outcome: 'ambiguous', reason: result.reason };
    case 'refused':
      return { outcome: 'permanent', reason: result.reason };
  }
}

const retryAfterMsMin: Millis = 1_000;
const retryAfterMsMax: Millis = hourMs;

/**
 * `Retry-After`, clamped to 1 s … 1 h. `undefined` if it names no wait: invalid, 0 or past.
 * RFC 9110 10.2.3.
 */
export function retryAfterMs(
  header: string | string[] | undefined,
  nowMs: Millis,
): Millis | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const delay = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  if (!(delay > 0)) return undefined; // also NaN
  return Math.min(Math.max(delay, retryAfterMsMin), retryAfterMsMax);
}

/** The provider's words, cut to 500 characters, without secrets, tokens, addresses or numbers. */
export function failure(
  outcome: Failure['outcome'],
  reason: string,
  words?: string,
  secrets: readonly string[] = [],
  delayMs?: Millis,
): Failure {
  const detail = words === undefined ? '' : harmless(words, secrets);
  return {
    outcome,
    reason,
    ...(detail !== '' && { detail }),
    ...(delayMs !== undefined && { retryAfterMs: delayMs }),
  };
}

/** What a refusal means, and the delay (of `rate`, the least) if the provider names none. */
export type Meaning = readonly [
  outcome: Failure['outcome'],
  reason: string,
  delayMs?: Millis | undefined,
];

/** What an HTTP status means, unless the channel defines its own meaning. */
export function httpMeaning(status: number): Meaning {
  switch (status) {
    case 408:
    case 425:
      return ['retry', `http_${status}`];
    case 413:
      return ['permanent', 'payload_too_large'];
    case 429:
      return ['rate', 'throttled'];
    case 503:
      return ['retry', 'unavailable'];
  }
  if (status >= 500) return ['retry', `http_${status}`];
  // A redirect or an unexpected 2xx: the address is wrong, not the message.
  return [status < 400 ? 'config' : 'permanent', `http_${status}`];
}

/** The failure. Retryable ones get a delay: `askedMs`, or the meaning's own. */
export function meantFailure(
  [outcome, reason, delayMs]: Meaning,
  words: string,
  secrets: readonly string[],
  askedMs: Millis | undefined,
): Failure {
  switch (outcome) {
    case 'rate': {
      const said = failure(outcome, reason, words, secrets, askedMs);
      const hasLeast = askedMs === undefined && delayMs !== undefined;
      return hasLeast ? { ...said, atLeastMs: delayMs } : said;
    }
    case 'retry':
      return failure(outcome, reason, words, secrets, askedMs ?? delayMs);
    default:
      return failure(outcome, reason, words, secrets);
  }
}

/** Text of more than `max` UTF-16 units; `what` names it in the detail. */
export function tooLong(
  what: string,
  text: string,
  max: number,
  reason = 'text_too_long',
): Failure | undefined {
  if (text.length <= max) return undefined;
  const words = `${what} has ${text.length} characters, ${max} are allowed`;
  return failure('permanent', reason, words);
}

const detailCharsMax = 500;

/** Text on one line, without the given values, addresses and tokens. */
function harmless(words: string, secrets: readonly string[]): string {
  let text = words.slice(0, 4 * detailCharsMax);
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '…');
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[^\s<>@"']{1,64}@[^\s<>@"']{1,255}/g, '…')
    .replace(/\+?\d[\d -]{6,17}\d/g, '…')
    .replace(/[A-Za-z0-9_\-:=+/.]{48,}/g, '…')
    .trim()
    .slice(0, detailCharsMax);
}

/** `undefined`: no end; `'expired'`: over. TTL 0 (now or never) never expires in our own queue. */
export function secondsLeft(attempt: Attempt, nowMs: Millis): Seconds | 'expired' | undefined {
  const { ttlSeconds } = attempt.content.options;
  if (ttlSeconds === undefined || ttlSeconds === 0) return ttlSeconds;
  const left = Math.ceil((attempt.acceptedMs + ttlSeconds * 1000 - nowMs) / 1000);
  return left > 0 ? left : 'expired';
}
