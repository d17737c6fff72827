// KakaoTalk through Solapi, which forwards AlimTalk messages, one call per number. A 200 may list
// the message as failed. Accepted is not delivered: Kakao's result is polled later.

import { createHash } from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import {
  failure,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../port/answers.ts';
import { endpointText } from '../port/attempt.ts';
import { checkByCall } from '../port/credential-check.ts';
import { parseObject, textOf } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { credentialsOr, hasTexts } from '../port/provider-config.ts';
import { type KakaoCredential, kakao } from './channel.ts';
import { meaningOfCall, meaningOfCode } from './errors.ts';
import { kakaoMessage } from './message.ts';
import { kakaoResults } from './results.ts';
import { kakaoAuthorization, kakaoSalt } from './signature.ts';

type Account = KakaoCredential;

/** The sandbox default when a tenant has none; the stand-in knows its secret. */
const sandboxAccount: Account = {
  apiKey: 'SANDBOXKEY',
  apiSecret: 'sandbox-api-secret',
  pfId: 'KA01PFSANDBOX',
  from: '0200000000',
};

const isAccount = hasTexts<Account>('apiKey', 'apiSecret', 'pfId', 'from');

/** The KakaoTalk adapter. Without credentials it sends only in sandbox mode, as `SANDBOXKEY`. */
export function createKakao(context: AdapterContext): Adapter {
  const { config, outbound, clock } = context;
  const url = `${config.urls.KAKAO ?? kakao.urls.KAKAO}/messages/v4/send-many/detail`;
  let calls = 0;

  return {
    async send(attempt, credentials, mayBegin) {
      const account = credentialsOr(config, isAccount, credentials, sandboxAccount);
      if (account === undefined) return { outcome: 'config', reason: 'not_configured' };
      const nowMs = clock.now();
      if (secondsLeft(attempt, nowMs) === 'expired')
        return { outcome: 'permanent', reason: 'expired' };
      const number = endpointText(attempt);
      const message = kakaoMessage(attempt, number, account);
      if ('outcome' in message) return message;

      const result = await outbound.call({
        method: 'POST',
        url,
        destination: 'trusted',
        headers: {
          'content-type': 'application/json',
          authorization: kakaoAuthorization(account, nowMs, kakaoSalt(attempt, ++calls)),
        },
        body: message.body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      const secrets = [account.apiSecret, account.apiKey, account.from, number, number.slice(3)];
      return outcomeOf(result, message.hasOwnSender, secrets, clock.now());
    },
    async results(query, credentials) {
      const account = credentialsOr(config, isAccount, credentials, sandboxAccount);
      if (account !== undefined) return kakaoResults(context, query, account, ++calls);
      return { state: 'failed', failure: { outcome: 'config', reason: 'not_configured' } };
    },
    check: (credential) => {
      const account = credential as Account;
      const nowMs = clock.now();
      const salt = createHash('sha256').update(`check ${nowMs} ${++calls}`).digest('hex');
      return checkByCall(
        outbound,
        {
          method: 'GET',
          url: `${config.urls.KAKAO ?? kakao.urls.KAKAO}/messages/v4/list?limit=1`,
          headers: { authorization: kakaoAuthorization(account, nowMs, salt.slice(0, 32)) },
        },
        [account.apiSecret, account.apiKey],
      );
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

function outcomeOf(
  answer: ProviderResponse,
  hasOwnSender: boolean,
  secrets: readonly string[],
  nowMs: Millis,
): Outcome {
  const body = parseObject(answer.body);
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  if (answer.status !== 200) {
    const name = textOf(body['errorCode']);
    const words = said(`HTTP ${answer.status}`, name, textOf(body['errorMessage']));
    const meaning = meaningOfCall(answer.status, name);
    return meantFailure(meaning, words, secrets, asked);
  }
  const message = firstOf(body['failedMessageList']) ?? firstOf(body['messageList']);
  const code = Number(message?.['statusCode']);
  // A truncated 200, or not Solapi's: the message may have been sent.
  if (message === undefined || !Number.isInteger(code))
    return failure('ambiguous', 'answer_unreadable', 'HTTP 200', secrets);
  const id = message['messageId'];
  const providerMessageId =
    typeof id === 'string' && id !== '' ? { providerMessageId: id.slice(0, 512) } : {};
  const { outcome, reason, delayMs } = meaningOfCode(code, hasOwnSender);
  if (outcome === 'accepted') return { outcome, ...providerMessageId };
  const words = said(`code ${code}`, textOf(message['statusMessage']));
  return {
    ...meantFailure([outcome, reason, delayMs], words, secrets, asked),
    ...providerMessageId,
  };
}

function said(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(': ');
}

/** The first item; Solapi sometimes writes the list as an object by message id. */
function firstOf(list: unknown): Readonly<Record<string, unknown>> | undefined {
  const [first]: unknown[] = Array.isArray(list) ? list : isObject(list) ? Object.values(list) : [];
  return isObject(first) ? first : undefined;
}
