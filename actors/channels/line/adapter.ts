// LINE through its Messaging API: one push per device. A retry key (kept for 24 hours) makes LINE
// send a message once however often we call. A used-up monthly quota is a 429 that differs only in
// its text. A push to a person who blocked the account is a 200.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import {
  failure,
  httpMeaning,
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../port/answers.ts';
import { endpointText } from '../port/attempt.ts';
import { attemptUuid } from '../port/attempt-uuid.ts';
import { RecentSuccess } from '../port/bounded-cache.ts';
import { checkByCall } from '../port/credential-check.ts';
import { fingerprints } from '../port/fingerprint.ts';
import { parseObject } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { hasTexts } from '../port/provider-config.ts';
import { type LineCredential, line } from './channel.ts';
import { lineMessage } from './message.ts';

const isChannel = hasTexts<LineCredential>('channelAccessToken');

/** The LINE adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createLine({ config, outbound, clock }: AdapterContext): Adapter {
  const url = `${config.urls.LINE ?? line.urls.LINE}/v2/bot/message/push`;
  const successes = new RecentSuccess();
  const fingerprint = fingerprints();

  return {
    async send(attempt, credentials, mayBegin) {
      const channel = isChannel(credentials) ? credentials : undefined;
      if (channel === undefined && config.mode === 'live') {
        return { outcome: 'config', reason: 'not_configured' };
      }
      if (secondsLeft(attempt, clock.now()) === 'expired') {
        return { outcome: 'permanent', reason: 'expired' };
      }
      const message = lineMessage(attempt);
      if ('outcome' in message) return message;

      const id = channel === undefined ? 'sandbox' : fingerprint(channel);
      const token = channel?.channelAccessToken ?? 'sandbox';
      const result = await outbound.call({
        method: 'POST',
        url,
        destination: 'trusted',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'x-line-retry-key': attemptUuid(attempt.sendId, attempt.deviceId),
        },
        body: message.body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      // 409: LINE accepted an earlier try whose response we lost; the ids are that try's.
      if (result.status === 200 || result.status === 409) {
        successes.note(id, clock.now());
        const messageId = messageIdOf(result);
        return {
          outcome: 'accepted',
          ...(messageId !== undefined && { providerMessageId: messageId }),
        };
      }
      const to = endpointText(attempt);
      return classify(result, {
        othersSucceed: successes.has(id, clock.now()),
        nowMs: clock.now(),
        secrets: [to, token],
      });
    },
    check: (credential) => {
      const { channelAccessToken: token } = credential as LineCredential;
      return checkByCall(
        outbound,
        {
          method: 'GET',
          url: `${config.urls.LINE ?? line.urls.LINE}/v2/bot/info`,
          headers: { authorization: `Bearer ${token}` },
        },
        [token],
      );
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

/** The first message's id; without one, the request's id, for LINE's support. */
function messageIdOf({ body, headers, status }: ProviderResponse): string | undefined {
  const { sentMessages } = parseObject(body);
  const first: unknown = Array.isArray(sentMessages) ? sentMessages[0] : undefined;
  const id = isObject(first) ? first['id'] : undefined;
  if (typeof id === 'string') return id.slice(0, 512);
  const request = headers[status === 409 ? 'x-line-accepted-request-id' : 'x-line-request-id'];
  return typeof request === 'string' ? request.slice(0, 512) : undefined;
}

const meanings: Readonly<Record<number, Meaning>> = {
  400: ['permanent', 'invalid_request'],
  401: ['config', 'unauthenticated'],
  403: ['config', 'not_entitled'],
  404: ['config', 'address_not_found'],
  500: ['retry', 'internal'],
};

interface Circumstances {
  readonly othersSucceed: boolean;
  readonly nowMs: Millis;
  readonly secrets: readonly string[];
}

function classify(answer: ProviderResponse, circumstances: Circumstances): Outcome {
  const { status } = answer;
  const { othersSucceed, nowMs, secrets } = circumstances;
  const said = wordsOf(answer);
  const words = `${status} ${said}`;
  // Ids belong to an account: with another account's token everyone is unknown, and `dead` would
  // disable every device.
  if (status === 400 && /failed to send messages/i.test(said)) {
    return failure(othersSucceed ? 'dead' : 'permanent', 'user_not_found', words, secrets);
  }
  if (status === 429 && /monthly limit/i.test(said)) {
    return failure('config', 'monthly_limit_reached', words, secrets);
  }
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  return meantFailure(meanings[status] ?? httpMeaning(status), words, secrets, asked);
}

/** LINE's message, and the fields that it names. */
function wordsOf({ body }: ProviderResponse): string {
  const { message, details } = parseObject(body);
  const parts = typeof message === 'string' ? [message] : [];
  for (const detail of Array.isArray(details) ? details.filter(isObject) : []) {
    parts.push(`${String(detail['property'])}: ${String(detail['message'])}`);
  }
  return parts.join('; ');
}
