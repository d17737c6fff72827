// What SendGrid's refusals mean. Pure. Source: "Errors" of the API reference and "Rate limits".

import { type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import {
  failure,
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
} from '../../port/answers.ts';
import { type Json, listOf, parseObject, textOf } from '../../port/json.ts';
import type { Failure } from '../../port/outcome.ts';
import { statusMeaning } from '../http-status.ts';

/** The mails that SendGrid names by their place; none if something else is wrong, too. */
export function wrongMails(
  answer: ProviderResponse,
  mails: readonly RelayMail[],
): ReadonlyMap<RelayMail, Failure> {
  const wrong = new Map<RelayMail, Failure>();
  if (answer.status !== 400) return wrong;
  for (const error of errorsIn(answer)) {
    const [, place] = /^personalizations\.(\d{1,4})\./.exec(textOf(error['field'])) ?? [];
    const mail = place === undefined ? undefined : mails[Number(place)];
    if (mail === undefined) return new Map();
    const isTo = /^personalizations\.\d{1,4}\.to\b/.test(textOf(error['field']));
    const reason = isTo ? 'bad_address' : 'invalid_request';
    wrong.set(mail, failure('permanent', reason, textOf(error['message']), [mail.mail.to]));
  }
  return wrong;
}

/** Whether what is wrong is the content, which all mails of a call share. */
export function isOfContent(answer: ProviderResponse): boolean {
  const errors = errorsIn(answer);
  const shared = /^(?:from|reply_to|subject|content|attachments|tracking_settings)\b/;
  return errors.length > 0 && errors.every(({ field }) => shared.test(textOf(field)));
}

function errorsIn({ body }: ProviderResponse): readonly Json[] {
  return listOf(parseObject(body)['errors']);
}

export function sendGridRefusal(
  answer: ProviderResponse,
  secrets: readonly string[],
  nowMs: Millis,
): Failure {
  const words = errorsIn(answer)
    .map((error) => textOf(error['message']))
    .join('; ');
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
    default:
      return statusMeaning(status);
  }
}

/** A day's limit ends at an hour that SendGrid does not say. */
const dailyMs: Millis = 15 * minuteMs;

function isQuota(words: string): boolean {
  return /maximum credits exceeded|(?:sending|messaging|daily) limits? (?:exceeded|reached)/i.test(
    words,
  );
}
