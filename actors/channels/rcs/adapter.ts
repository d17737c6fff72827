// RCS through Google's RCS for Business API. Google ignores a second message with the same id, and
// ours is the same for every try, so repeats are safe. A 404 may mean the phone, its carrier, or an
// agent not launched with that carrier: too little to disable a number that other channels share.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import { createGoogleTokens } from '../google/google-token.ts';
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
import { credentialFails, credentialWorks } from '../port/credential-check.ts';
import { fingerprints } from '../port/fingerprint.ts';
import { parseObject } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { type RcsCredential, rcs } from './channel.ts';
import { rcsMessage } from './message.ts';

const scope = 'https://www.googleapis.com/auth/rcsbusinessmessaging';

/** The RCS adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createRcs({ config, outbound, clock }: AdapterContext): Adapter {
  const tokenUrl = config.urls.GOOGLE_TOKEN ?? rcs.urls.GOOGLE_TOKEN;
  const tokens = createGoogleTokens({ outbound, clock, scope, tokenUrl });
  const fingerprint = fingerprints();

  return {
    async send(attempt, credentials, mayBegin) {
      const agent = isAgent(credentials) ? credentials : undefined;
      if (agent === undefined && config.mode === 'live') {
        return { outcome: 'config', reason: 'not_configured' };
      }
      const phone = endpointText(attempt);
      const ttl = secondsLeft(attempt, clock.now());
      if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
      const message = rcsMessage(attempt, ttl);
      if ('outcome' in message) return message;

      const account = agent?.serviceAccount;
      const id = account === undefined ? 'sandbox' : fingerprint(account);
      const messageId = attemptUuid(attempt.sendId, attempt.deviceId);
      const base = config.urls.RCS ?? hostOf(agent?.region ?? 'us');
      const agentId = encodeURIComponent(agent?.agentId ?? 'sandbox');
      const url = `${base}/v1/phones/${encodeURIComponent(phone)}/agentMessages?messageId=${messageId}&agentId=${agentId}`;
      let renewed = false;
      for (;;) {
        const bearer = account === undefined ? 'sandbox' : await tokens.get(account, id);
        if (typeof bearer !== 'string') return bearer;
        const result = await outbound.call({
          method: 'POST',
          url,
          destination: 'trusted',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
          body: message.body,
          mayBegin,
        });
        if (result.kind !== 'answered') return unreached(result);
        // 409: Google accepted an earlier try whose response we lost.
        if (result.status === 200 || result.status === 409) {
          return { outcome: 'accepted', providerMessageId: messageId };
        }
        // A token may be revoked early: try one new token, then blame the credential.
        if (result.status === 401 && account !== undefined && !renewed) {
          renewed = true;
          tokens.forget(id, bearer);
          continue;
        }
        return classify(result, clock.now(), [phone, bearer]);
      }
    },
    // Google's RCS has no call that is about the agent alone; its key is tried.
    async check(credential) {
      const { serviceAccount } = credential as RcsCredential;
      const bearer = await tokens.get(serviceAccount, fingerprint(serviceAccount));
      return typeof bearer === 'string' ? credentialWorks : credentialFails(bearer);
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

/** The agent's region decides the host; its numbers may be anywhere. */
function hostOf(region: RcsCredential['region']): string {
  return `https://${region}-rcsbusinessmessaging.googleapis.com`;
}

const meanings: Readonly<Record<number, Meaning>> = {
  400: ['permanent', 'invalid_argument'],
  401: ['config', 'unauthenticated'],
  403: ['config', 'permission_denied'],
  404: ['permanent', 'rcs_unreachable'],
  429: ['rate', 'quota_exceeded'],
  500: ['retry', 'internal'],
  504: ['retry', 'deadline_exceeded'],
};

function classify(answer: ProviderResponse, nowMs: Millis, secrets: readonly string[]): Outcome {
  const { status } = answer;
  const { error } = parseObject(answer.body);
  const said = isObject(error) ? error : {};
  const words = [status, said['status'], said['message']]
    .filter((part) => typeof part === 'number' || typeof part === 'string')
    .join(' ');
  // Google answers an unknown path in HTML: the address is wrong, not the number.
  if (status === 404 && said['status'] !== 'NOT_FOUND') {
    return failure('config', 'address_not_found', words, secrets);
  }
  const asked =
    retryAfterMs(answer.headers['retry-after'], nowMs) ?? retryDelayMs(said['details'], nowMs);
  return meantFailure(meanings[status] ?? httpMeaning(status), words, secrets, asked);
}

/** Google's other delay: a RetryInfo detail with a duration in seconds, `"30s"` or `"1.500s"`. */
function retryDelayMs(details: unknown, nowMs: Millis): Millis | undefined {
  if (!Array.isArray(details)) return undefined;
  const info = details.filter(isObject).find((one) => String(one['@type']).endsWith('.RetryInfo'));
  const seconds = /^(\d{1,9})(?:\.\d{1,9})?s$/.exec(String(info?.['retryDelay']))?.[1];
  return retryAfterMs(seconds, nowMs);
}

function isAgent(credentials: unknown): credentials is RcsCredential {
  return (
    isObject(credentials) &&
    typeof credentials['agentId'] === 'string' &&
    isObject(credentials['serviceAccount'])
  );
}
