// Viber through its bot API, one call per person. A refusal is a 200 with a number in its body. A
// message id is a 64-bit integer that JSON.parse would change, so it is read from the text.

import type { Millis } from '../../../engine/base/brand.ts';
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
import { RecentSuccess } from '../port/bounded-cache.ts';
import { checkByCall } from '../port/credential-check.ts';
import { fingerprints } from '../port/fingerprint.ts';
import { parseObject } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { credentialsOr, hasTexts } from '../port/provider-config.ts';
import { type ViberCredential, viber } from './channel.ts';
import { viberHttpMeaning, viberMeaning } from './errors.ts';
import { viberMessage } from './message.ts';
import { ViberThrottle } from './throttle.ts';
import { registerViber } from './webhook.ts';

type Bot = ViberCredential;

const sandboxBot: Bot = { authToken: 'sandbox', senderName: 'Sandbox' };
const personDelayMs: Millis = 15 * 60_000;

const isBot = hasTexts<Bot>('authToken', 'senderName');

/** The Viber adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createViber({ config, outbound, clock }: AdapterContext): Adapter {
  const url = `${config.urls.VIBER ?? viber.urls.VIBER}/pa/send_message`;
  const reached = new RecentSuccess();
  const throttle = new ViberThrottle();
  const fingerprint = fingerprints();

  return {
    async send(attempt, credentials, mayBegin) {
      const bot = credentialsOr(config, isBot, credentials, sandboxBot);
      if (bot === undefined) return { outcome: 'config', reason: 'not_configured' };
      if (secondsLeft(attempt, clock.now()) === 'expired')
        return { outcome: 'permanent', reason: 'expired' };
      const person = endpointText(attempt);
      const message = viberMessage(attempt, person, bot.senderName);
      if ('outcome' in message) return message;

      const result = await outbound.call({
        method: 'POST',
        url,
        destination: 'trusted',
        headers: { 'content-type': 'application/json', 'x-viber-auth-token': bot.authToken },
        body: message.body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      const nowMs = clock.now();
      const id = fingerprint(bot);
      const outcome = outcomeOf(result, nowMs, [bot.authToken, person], reached.has(id, nowMs));
      if (outcome.outcome === 'accepted') {
        reached.note(id, nowMs);
        throttle.succeeded(id, person);
      }
      const isTooMany = outcome.outcome === 'rate' && outcome.reason === 'too_many_requests';
      if (!isTooMany || throttle.refused(id, person, nowMs) === 'account') return outcome;
      return {
        ...outcome,
        outcome: 'retry',
        reason: 'recipient_quota',
        retryAfterMs: personDelayMs,
      };
    },
    registerWebhook: (url, credential) => registerViber({ config, outbound }, url, credential),
    check: (credential) => {
      const { authToken } = credential as ViberCredential;
      return checkByCall(
        outbound,
        {
          method: 'POST',
          url: `${config.urls.VIBER ?? viber.urls.VIBER}/pa/get_account_info`,
          headers: { 'content-type': 'application/json', 'x-viber-auth-token': authToken },
          body: '{}',
        },
        [authToken],
        ({ status, body }) => {
          const { status: code } = parseObject(body);
          if (status !== 200) return `http_${status}`;
          if (code === 0) return undefined;
          return code === 2 ? 'unauthenticated' : `status_${String(code)}`;
        },
      );
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

function outcomeOf(
  answer: ProviderResponse,
  nowMs: Millis,
  secrets: readonly string[],
  othersSucceed: boolean,
): Outcome {
  const { status: code, status_message: said } = parseObject(answer.body);
  const isRead = answer.status === 200 && typeof code === 'number';
  if (isRead && code === 0) return { outcome: 'accepted', ...tokenOf(answer.body) };
  const words = isRead ? `status ${code}: ${String(said)}` : `HTTP ${answer.status}`;
  // A truncated 200, or not Viber's: the message may have been sent.
  if (answer.status === 200 && !isRead)
    return failure('ambiguous', 'answer_unreadable', words, secrets);
  const meaning = isRead ? viberMeaning(code, othersSucceed) : viberHttpMeaning(answer.status);
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  return meantFailure(meaning, words, secrets, asked);
}

function tokenOf(body: string): { readonly providerMessageId?: string } {
  const token = /"message_token"\s*:\s*"?(\d{1,20})/.exec(body)?.[1];
  return token === undefined ? {} : { providerMessageId: token };
}
