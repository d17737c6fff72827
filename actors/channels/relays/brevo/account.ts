// Sends by Brevo, one call a mail, with the mail's own idempotency key, which Brevo keeps for half
// an hour: whoever sends it again after silence sends it once. A known key is that of a taken mail.

import type { Millis } from '../../../../engine/base/brand.ts';
import {
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  unreached,
} from '../../port/answers.ts';
import { parseObject, textOf } from '../../port/json.ts';
import type { Failure } from '../../port/outcome.ts';
import { statusMeaning } from '../http-status.ts';
import { jsonBody } from '../json-body.ts';
import { checkKey } from '../key-check.ts';
import type { OpenRelayAccount } from '../relay.ts';
import type { BrevoConfig } from './kind.ts';
import { brevoMessage } from './message.ts';

export const openBrevo: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const { apiKey } = relay.config as BrevoConfig;
  const base = config.urls.BREVO ?? 'https://api.brevo.com';
  const headers = {
    'api-key': apiKey,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  return {
    async send(mail, mayBegin) {
      const result = await outbound.call({
        method: 'POST',
        url: `${base}/v3/smtp/email`,
        destination: 'trusted',
        headers,
        body: jsonBody(brevoMessage(mail)),
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      const answer = parseObject(result.body);
      if (result.status === 400 && answer['code'] === 'duplicate_parameter' && saysKey(answer))
        return { outcome: 'accepted' };
      if (result.status < 200 || result.status >= 300)
        return refusal(result, [apiKey, mail.mail.to], clock.now());
      const id = textOf(answer['messageId']).replace(/^<|>$/g, '');
      return id === ''
        ? { outcome: 'ambiguous', reason: 'answer_unreadable' }
        : { outcome: 'accepted', providerMessageId: id };
    },
    check: () => checkKey(outbound, { url: `${base}/v3/account`, headers }, apiKey),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** No other member of a mail must be unique. */
function saysKey(answer: Readonly<Record<string, unknown>>): boolean {
  return /idempotency/i.test(textOf(answer['message'])) || answer['message'] === undefined;
}

function refusal(answer: ProviderResponse, secrets: readonly string[], nowMs: Millis): Failure {
  const { code, message } = parseObject(answer.body);
  const words = textOf(message) || answer.body.slice(0, 300);
  const { headers } = answer;
  const asked = retryAfterMs(headers['retry-after'] ?? headers['x-sib-ratelimit-reset'], nowMs);
  const meaning = meaningOf(answer.status, textOf(code), words);
  return meantFailure(meaning, `HTTP ${answer.status}: ${words}`, secrets, asked);
}

/** Source: Brevo, "Error codes" and "Rate limits". */
function meaningOf(status: number, code: string, words: string): Meaning {
  switch (code) {
    case 'not_enough_credits':
    case 'account_under_validation':
    case 'not_acceptable':
      return ['config', 'relay_refused'];
  }
  switch (status) {
    case 400:
      if (/\bsender\b/i.test(words)) return ['config', 'sender_not_authenticated'];
      return [
        'permanent',
        /\bin to\b|\bto\.\d|\brecipient/i.test(words) ? 'bad_address' : 'invalid_request',
      ];
    case 403:
      return ['config', 'relay_authentication'];
    default:
      return statusMeaning(status);
  }
}
