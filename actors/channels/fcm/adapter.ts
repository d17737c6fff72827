// Android push through FCM's HTTP v1 API, one call per device. FCM answers 404 both for a dead
// token and for a missing project. Only an FcmError detail says anything about the token; confusing
// the two would disable all of the app's devices at once.

import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { ServiceAccount } from '../google/google-account.ts';
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
import { RecentSuccess } from '../port/bounded-cache.ts';
import { checkByCall, credentialFails } from '../port/credential-check.ts';
import { fingerprintOf, fingerprints } from '../port/fingerprint.ts';
import { parseObject } from '../port/json.ts';
import type { CredentialCheck, Failure, Outcome } from '../port/outcome.ts';
import { hasTexts } from '../port/provider-config.ts';
import { fcm } from './channel.ts';
import { fcmMessage } from './message.ts';

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const quotaExceeded: Meaning = ['rate', 'quota_exceeded', minuteMs];
const internalDelayMs: Millis = 10_000;

const isServiceAccount = hasTexts<ServiceAccount>('project_id', 'client_email', 'private_key');

/** The FCM adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createFcm({ config, outbound, clock }: AdapterContext): Adapter {
  const base = config.urls.FCM ?? fcm.urls.FCM;
  const tokenUrl = config.urls.GOOGLE_TOKEN ?? fcm.urls.GOOGLE_TOKEN;
  const tokens = createGoogleTokens({ outbound, clock, scope, tokenUrl });
  const successes = new RecentSuccess();
  const fingerprint = fingerprints();

  return {
    async send(attempt, credentials, mayBegin) {
      const account = isServiceAccount(credentials) ? credentials : undefined;
      if (account === undefined && config.mode === 'live') {
        return { outcome: 'config', reason: 'not_configured' };
      }
      const token = endpointText(attempt);
      const ttl = secondsLeft(attempt, clock.now());
      if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
      const message = fcmMessage(attempt, token, ttl, clock.now());
      if ('outcome' in message) return message;

      const id = account === undefined ? 'sandbox' : fingerprint(account);
      const project = account?.project_id ?? 'sandbox';
      const url = `${base}/v1/projects/${encodeURIComponent(project)}/messages:send`;
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
        if (result.status === 200) {
          successes.note(id, clock.now());
          const { name } = parseObject(result.body);
          return {
            outcome: 'accepted',
            ...(typeof name === 'string' && { providerMessageId: name.slice(0, 512) }),
          };
        }
        const read = readError(result);
        // A token may be revoked early: try one new token, then blame the credential.
        if (result.status === 401 && read.code === undefined && account !== undefined && !renewed) {
          renewed = true;
          tokens.forget(id, bearer);
          continue;
        }
        return classify(result, read, {
          othersSucceed: successes.has(id, clock.now()),
          nowMs: clock.now(),
          secrets: [token, bearer, ...(attempt.activity ? [attempt.activity.pushToken] : [])],
        });
      }
    },
    check: (credential) => checkFcm({ outbound, tokens, base }, credential as ServiceAccount),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

/** Asks for a verdict on a message to nobody. */
async function checkFcm(
  {
    outbound,
    tokens,
    base,
  }: Pick<AdapterContext, 'outbound'> & {
    readonly tokens: ReturnType<typeof createGoogleTokens>;
    readonly base: string;
  },
  account: ServiceAccount,
): Promise<CredentialCheck> {
  const bearer = await tokens.get(account, fingerprintOf(account));
  if (typeof bearer !== 'string') return credentialFails(bearer);
  return checkByCall(
    outbound,
    {
      method: 'POST',
      url: `${base}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({
        validate_only: true,
        message: { topic: 'engage-check', notification: { title: 'check' } },
      }),
    },
    [bearer],
  );
}

interface FcmError {
  /** The FcmError's `errorCode`; absent if Google's front end answered instead of FCM. */
  readonly code: string | undefined;
  readonly message: string;
  /** Whether the registration token itself is malformed. */
  readonly namesToken: boolean;
}

interface Circumstances {
  readonly othersSucceed: boolean;
  readonly nowMs: Millis;
  readonly secrets: readonly string[];
}

function classify(
  answer: ProviderResponse,
  error: FcmError,
  circumstances: Circumstances,
): Outcome {
  const { othersSucceed, nowMs, secrets } = circumstances;
  const words = `${answer.status} ${error.code ?? ''} ${error.message}`.replace(/ +/g, ' ');
  const delayMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  const say = (outcome: Failure['outcome'], reason: string, wait?: Millis) =>
    failure(outcome, reason, words, secrets, wait);

  switch (error.code) {
    case 'UNREGISTERED':
      return say('dead', 'unregistered');
    case 'SENDER_ID_MISMATCH':
      return say(othersSucceed ? 'dead' : 'config', 'sender_id_mismatch');
    case 'THIRD_PARTY_AUTH_ERROR':
      return say('config', 'third_party_auth_error');
    case 'QUOTA_EXCEEDED':
      return meantFailure(quotaExceeded, words, secrets, delayMs);
    case 'INVALID_ARGUMENT':
      if (error.namesToken && othersSucceed) return say('dead', 'invalid_token');
      return say('permanent', error.namesToken ? 'invalid_token' : 'invalid_argument');
    case 'INTERNAL':
      return say('retry', 'internal', delayMs ?? internalDelayMs);
    case 'UNAVAILABLE':
      return say('retry', 'unavailable', delayMs);
  }
  switch (answer.status) {
    case 400:
      return say('permanent', 'invalid_argument');
    case 401:
      return say('config', 'unauthenticated');
    case 403:
      return say('config', 'permission_denied');
    case 404:
      return say('config', 'project_not_found');
    case 429:
      return meantFailure(quotaExceeded, words, secrets, delayMs);
    case 500:
      return say('retry', 'internal', delayMs ?? internalDelayMs);
  }
  return meantFailure(httpMeaning(answer.status), words, secrets, delayMs);
}

function readError(answer: ProviderResponse): FcmError {
  const { error } = parseObject(answer.body);
  if (!isObject(error)) return { code: undefined, message: '', namesToken: false };
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : [];
  const fcm = details.find((detail) => String(detail['@type']).endsWith('.FcmError'));
  const code = fcm?.['errorCode'];
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  const fields = details.flatMap((detail) => detail['fieldViolations'] ?? []).filter(isObject);
  return {
    code: typeof code === 'string' ? code : undefined,
    message,
    namesToken:
      /registration token/i.test(message) ||
      fields.some((violation) => violation['field'] === 'message.token'),
  };
}
