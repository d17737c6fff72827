// What SendGrid's refusals mean. Pure. Source: "Errors" of the API reference and "Rate limits".

import { type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import {
  failure,
  httpMeaning,
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
} from '../../port/answers.ts';
import { listOf, parseObject, textOf } from '../../port/json.ts';
import type { Failure } from '../../port/outcome.ts';

/** The mails that SendGrid names by their place, if there are others that it does not name. */
export function wrongMails(
  answer: ProviderResponse,
  mails: readonly RelayMail[],
): ReadonlyMap<RelayMail, Failure> | undefined {
  const wrong = new Map<RelayMail, Failure>();
  for (const error of listOf(parseObject(answer.body)['errors'])) {
    const [, place] = /^personalizations\.(\d{1,4})\./.exec(textOf(error['field'])) ?? [];
    const mail = place === undefined ? undefined : mails[Number(place)];
    if (mail === undefined) return undefined;
    const isTo = /^personalizations\.\d{1,4}\.to\b/.test(textOf(error['field']));
    const reason = isTo ? 'bad_address' : 'invalid_request';
    wrong.set(mail, failure('permanent', reason, textOf(error['message']), [mail.mail.to]));
  }
  return wrong.size === 0 ? undefined : wrong;
}

export function sendGridRefusal(
  answer: ProviderResponse,
  secrets: readonly string[],
  nowMs: Millis,
): Failure {
  const errors = listOf(parseObject(answer.body)['errors']);
  const words = errors.map((error) => textOf(error['message'])).join('; ');
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs) ?? untilReset(answer, nowMs);
  const meaning = meaningOf(answer.status, words);
  return meantFailure(meaning, `HTTP ${answer.status}: ${words}`, secrets, asked);
}

/** `X-RateLimit-Reset`: when the next calls are allowed, in seconds since 1970. */
function untilReset({ status, headers }: ProviderResponse, nowMs: Millis): number | undefined {
  const text = textOf(headers['x-ratelimit-reset']);
  if (status !== 429 || !/^\d{1,11}$/.test(text)) return undefined;
  return retryAfterMs(new Date(Number(text) * 1000).toUTCString(), nowMs);
}

function meaningOf(status: number, words: string): Meaning {
  switch (status) {
    case 400:
      // SendGrid answers 400 when a free account has used up its day, and 401 for other accounts.
      if (isQuota(words)) return ['rate', 'throttled', dailyMs];
      return ['permanent', 'invalid_request'];
    case 401:
      return isQuota(words) ? ['rate', 'throttled', dailyMs] : ['config', 'relay_authentication'];
    case 403:
      return /verified sender identity/i.test(words)
        ? ['config', 'sender_not_authenticated']
        : ['config', 'relay_authentication'];
    case 404:
    case 405:
      return ['config', 'relay_refused'];
    case 413:
      return ['permanent', 'message_too_large'];
    default:
      return httpMeaning(status);
  }
}

/** A day's limit ends at an hour that SendGrid does not say. */
const dailyMs: Millis = 15 * minuteMs;

function isQuota(words: string): boolean {
  return /maximum credits exceeded|(?:sending|messaging|daily) limits? (?:exceeded|reached)/i.test(
    words,
  );
}
