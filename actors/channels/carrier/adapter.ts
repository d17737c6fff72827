// What sms and voice share. The carrier has no idempotency key, so a call without a response is
// `ambiguous` and is not repeated here. It rarely names a delay, so we double our own. A number in
// a region the account may not send to must not stop the whole channel.

import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import {
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../port/answers.ts';
import { type Attempt, endpointText } from '../port/attempt.ts';
import { RecentSuccess } from '../port/bounded-cache.ts';
import { checkByCall } from '../port/credential-check.ts';
import { parseObject } from '../port/json.ts';
import type { Failure, Outcome } from '../port/outcome.ts';
import { credentialsOr, hasTexts } from '../port/provider-config.ts';
import { canProviderReach } from '../port/webhook-registration.ts';
import { type CarrierAccount, carrierChannel, sandboxAccount } from './account.ts';
import { carrierMeaning } from './errors.ts';
import type { CarrierForm } from './form.ts';
import { type CarrierChannel, carrierCallbackUrl } from './status-url.ts';

interface CarrierPart {
  readonly channel: CarrierChannel;
  readonly resource: 'Messages' | 'Calls';
  message(
    attempt: Attempt,
    to: string,
    ttl: Seconds | undefined,
  ): { readonly form: CarrierForm } | Failure;
  /** The sender; `undefined` if the account has none for this channel. */
  sender(account: CarrierAccount): readonly [name: string, value: string] | undefined;
  readonly callbackForm: CarrierForm;
}

const isAccount = hasTexts<CarrierAccount>('accountSid', 'authToken');

/** An adapter for sms or voice. Without credentials it sends only in sandbox mode. */
export function createCarrier(context: AdapterContext, part: CarrierPart): Adapter {
  const { config, outbound, clock } = context;
  const base = config.urls.CARRIER ?? carrierChannel.urls.CARRIER;
  const hasCallbacks = config.mode === 'sandbox' || canProviderReach(config.publicUrl);
  const successes = new RecentSuccess();

  return {
    async send(attempt, credentials, mayBegin) {
      const account = credentialsOr(config, isAccount, credentials, sandboxAccount);
      if (account === undefined) return { outcome: 'config', reason: 'not_configured' };
      const sender = part.sender(account);
      if (sender === undefined) return { outcome: 'config', reason: 'sender_missing' };
      const ttl = secondsLeft(attempt, clock.now());
      if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
      const to = endpointText(attempt);
      const message = part.message(attempt, to, ttl);
      if ('outcome' in message) return message;

      const form = new URLSearchParams([...message.form, sender] as [string, string][]);
      if (hasCallbacks) {
        form.append('StatusCallback', carrierCallbackUrl(config.publicUrl, part.channel, attempt));
        for (const [name, value] of part.callbackForm) form.append(name, value);
      }
      const { user, password } = signIn(account);
      const result = await outbound.call({
        method: 'POST',
        url: `${base}/2010-04-01/Accounts/${account.accountSid}/${part.resource}.json`,
        destination: 'trusted',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        },
        body: form.toString(),
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      const secrets = [to, sender[1], password, account.authToken, account.accountSid, user];
      const nowMs = clock.now();
      const outcome = outcomeOf(result, secrets, nowMs, (code) => {
        const othersSucceed = successes.has(account.accountSid, nowMs);
        return carrierMeaning(code, part.channel, attempt.attempt, othersSucceed);
      });
      if (outcome.outcome === 'accepted') successes.note(account.accountSid, nowMs);
      return outcome;
    },
    check: (credential) => {
      const account = credential as CarrierAccount;
      const { user, password } = signIn(account);
      const basic = Buffer.from(`${user}:${password}`).toString('base64');
      return checkByCall(
        outbound,
        {
          method: 'GET',
          url: `${base}/2010-04-01/Accounts/${account.accountSid}.json`,
          headers: { accept: 'application/json', authorization: `Basic ${basic}` },
        },
        [password, account.authToken, account.accountSid, user],
      );
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

/** Prefers the API key, which can be revoked alone; the auth token then only verifies callbacks. */
function signIn(account: CarrierAccount): { readonly user: string; readonly password: string } {
  const { accountSid, authToken, apiKeySid, apiKeySecret } = account;
  if (apiKeySid !== undefined && apiKeySecret !== undefined)
    return { user: apiKeySid, password: apiKeySecret };
  return { user: accountSid, password: authToken };
}

function outcomeOf(
  answer: ProviderResponse,
  secrets: readonly string[],
  nowMs: Millis,
  meaning: (code: number) => ReturnType<typeof carrierMeaning>,
): Outcome {
  const body = parseObject(answer.body);
  const { sid, status } = body;
  const providerMessageId = typeof sid === 'string' ? { providerMessageId: sid.slice(0, 64) } : {};
  const isTaken = answer.status >= 200 && answer.status < 300;
  // Accepted and failed in one response: the code is in the field for later errors.
  const isLost = isTaken && (status === 'failed' || status === 'undelivered');
  if (isTaken && !isLost) return { outcome: 'accepted', ...providerMessageId };

  const code = numberOf(isLost ? body['error_code'] : body['code']);
  const message = isLost ? body['error_message'] : body['message'];
  // A word separates status and code: side by side they look like a phone number and get masked.
  const number = code === undefined ? '' : `, error ${code}`;
  const words = `${answer.status}${number}: ${typeof message === 'string' ? message : ''}`;
  const known = code === undefined ? undefined : meaning(code);
  const { outcome, reason, delayMs } = known ?? meaningOfStatus(answer.status, code);
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  return {
    ...meantFailure([outcome, reason, delayMs], words, secrets, asked),
    ...providerMessageId,
  };
}

function meaningOfStatus(
  status: number,
  code: number | undefined,
): { outcome: Failure['outcome']; reason: string; delayMs?: Millis } {
  switch (status) {
    case 401:
      return { outcome: 'config', reason: 'unauthenticated' };
    case 403:
      return { outcome: 'config', reason: 'permission_denied' };
    case 404:
      return { outcome: 'config', reason: 'account_not_found' };
    case 408:
    case 425:
      return { outcome: 'retry', reason: `http_${status}` };
    case 429:
      return { outcome: 'rate', reason: 'too_many_requests' };
    case 503:
      return { outcome: 'retry', reason: 'unavailable' };
  }
  if (status >= 500) return { outcome: 'retry', reason: `http_${status}` };
  if (status >= 300 && status < 400) return { outcome: 'config', reason: `http_${status}` };
  return { outcome: 'permanent', reason: code === undefined ? `http_${status}` : `code_${code}` };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}
