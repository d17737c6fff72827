// Push to Apple devices, one HTTP/2 call per device. Two responses must not disable a working
// device: the wrong one of Apple's two servers calls a token bad, and a 410 may be older than a
// reinstall.

import type { Millis } from '../../../engine/base/brand.ts';
import type { OutboundResult } from '../outbound/outbound-call.ts';
import type { Adapter, AdapterContext, MayBegin } from '../port/adapter.ts';
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
import { credentialFails, credentialWorks } from '../port/credential-check.ts';
import { parseObject } from '../port/json.ts';
import type { Failure, Outcome } from '../port/outcome.ts';
import { hasTexts } from '../port/provider-config.ts';
import type { ApnsCredential } from './channel.ts';
import { type ApnsConnections, createApnsConnections } from './connections.ts';
import { type ApnsRequest, apnsMessage } from './message.ts';
import { createProviderTokens, type ProviderTokens } from './provider-token.ts';

type Environment = 'production' | 'sandbox';

const hosts: Readonly<Record<Environment, string>> = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};

const isApnsCredential = hasTexts<ApnsCredential>('teamId', 'keyId', 'p8', 'bundleId');

interface Apple {
  readonly connections: ApnsConnections;
  readonly tokens: ProviderTokens;
  originOf(environment: Environment): string;
}

/** No device token: nobody can be reached with it. */
const nobody = 'check';

/** The APNs adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createApns(
  { config, clock }: AdapterContext,
  connections: ApnsConnections = createApnsConnections(),
): Adapter {
  const tokens = createProviderTokens(clock);
  const originOf = (environment: Environment) => config.urls.APNS ?? hosts[environment];
  const apple: Apple = { connections, tokens, originOf };
  const successes = new RecentSuccess();

  return {
    async send(attempt, credentials, mayBegin) {
      const credential = isApnsCredential(credentials) ? credentials : undefined;
      if (credential === undefined && config.mode === 'live') {
        return { outcome: 'config', reason: 'not_configured' };
      }
      const device = endpointText(attempt);
      const ttl = secondsLeft(attempt, clock.now());
      if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
      const bundleId = credential?.bundleId ?? 'sandbox';
      const message = apnsMessage(attempt, bundleId, ttl, clock.now());
      if ('outcome' in message) return message;
      const request = { ...message, mayBegin };

      const app = `${credential === undefined ? 'sandbox' : tokens.accountOf(credential)} ${bundleId}`;
      const environment = attempt.environment ?? credential?.environment ?? 'production';
      let asked = await ask(apple, credential, environment, device, request);
      // The device did not say which server its token is for: try the other one.
      if (
        'answer' in asked &&
        asked.reason === 'BadDeviceToken' &&
        attempt.environment === undefined
      )
        asked = await askOtherServer(apple, credential, asked, device, request);
      if (!('answer' in asked)) return asked;
      if (asked.answer.status === 200) {
        successes.note(app, clock.now());
        const id = asked.answer.headers['apns-id'] ?? request.headers['apns-id'];
        return {
          outcome: 'accepted',
          ...(typeof id === 'string' && { providerMessageId: id.slice(0, 512) }),
          ...(asked.environment !== environment && {
            moved: { from: attempt.endpoint, environment: asked.environment },
          }),
        };
      }
      return classify(asked, {
        othersSucceed: successes.has(app, clock.now()),
        registeredMs: attempt.registeredMs,
        nowMs: clock.now(),
        secrets: [device, asked.bearer],
      });
    },
    async check(credentials) {
      const credential = credentials as ApnsCredential;
      const asked = await ask(apple, credential, credential.environment ?? 'production', nobody, {
        headers: { 'apns-topic': credential.bundleId, 'apns-push-type': 'alert' },
        body: '{"aps":{"alert":"check"}}',
        mayBegin: undefined,
      });
      if (!('answer' in asked))
        return asked.outcome === 'accepted' ? credentialWorks : credentialFails(asked);
      // Apple looks at the key first, and knows no such device.
      if (asked.reason === 'BadDeviceToken') return credentialWorks;
      const { status } = asked.answer;
      return credentialFails({ reason: meanings[asked.reason]?.[1] ?? `http_${status}` });
    },
    close: () => connections.close(),
  };
}

type BeginnableRequest = ApnsRequest & { readonly mayBegin: MayBegin | undefined };

interface Asked {
  readonly answer: ProviderResponse;
  readonly environment: Environment;
  /** Empty where the answer is not Apple's. */
  readonly reason: string;
  /** 410 only: when Apple found the token dead. */
  readonly deadSinceMs: Millis | undefined;
  readonly bearer: string;
  /** For `BadDeviceToken`: the other server could not say whether it knows the token. */
  readonly mayBeOfOther: boolean;
}

/** One call; a second one only if the provider token was too old. */
async function ask(
  { connections, tokens, originOf }: Apple,
  credential: ApnsCredential | undefined,
  environment: Environment,
  device: string,
  request: BeginnableRequest,
): Promise<Asked | Outcome> {
  const account = credential === undefined ? 'sandbox' : tokens.accountOf(credential);
  let bearer = credential === undefined ? 'sandbox' : tokens.get(credential);
  for (let renewed = false; ; renewed = true) {
    if (typeof bearer !== 'string') return bearer;
    const result: OutboundResult = await connections.call({
      origin: originOf(environment),
      account,
      path: `/3/device/${encodeURIComponent(device)}`,
      headers: { ...request.headers, authorization: `bearer ${bearer}` },
      body: request.body,
      mayBegin: request.mayBegin,
    });
    if (result.kind !== 'answered') return unreached(result);
    // A 200 has no body, and a parse error costs a tenth of a send's time.
    const { reason, timestamp } = result.status === 200 ? {} : parseObject(result.body);
    const asked: Asked = {
      answer: result,
      environment,
      reason: typeof reason === 'string' ? reason : '',
      deadSinceMs: typeof timestamp === 'number' ? timestamp : undefined,
      bearer,
      mayBeOfOther: false,
    };
    if (credential === undefined) return asked;
    if (asked.reason === 'TooManyProviderTokenUpdates') tokens.fallBack(credential, bearer);
    if (asked.reason !== 'ExpiredProviderToken' || renewed) return asked;
    const next = tokens.renew(credential, bearer);
    if (next === undefined) return asked;
    bearer = next;
  }
}

/** What the other server says about a token that the first one does not know. */
async function askOtherServer(
  apple: Apple,
  credential: ApnsCredential | undefined,
  first: Asked,
  device: string,
  request: BeginnableRequest,
): Promise<Asked | Outcome> {
  const other = first.environment === 'production' ? 'sandbox' : 'production';
  if (apple.originOf(other) === apple.originOf(first.environment)) return first;
  const second = await ask(apple, credential, other, device, request);
  // A key may be valid for one server only. The token may still belong to the other server.
  if (!('answer' in second) || second.answer.status !== 403) return second;
  return { ...first, mayBeOfOther: second.reason !== 'BadDeviceToken' };
}

interface Circumstances {
  readonly othersSucceed: boolean;
  readonly registeredMs: Millis;
  readonly nowMs: Millis;
  readonly secrets: readonly string[];
}

/** With a default delay. Source: "Handling notification responses from APNs". */
const meanings: Readonly<Record<string, Meaning>> = {
  BadCollapseId: ['permanent', 'bad_collapse_id'],
  BadExpirationDate: ['permanent', 'bad_expiration_date'],
  BadMessageId: ['permanent', 'bad_message_id'],
  BadPriority: ['permanent', 'bad_priority'],
  DuplicateHeaders: ['permanent', 'duplicate_headers'],
  InvalidPushType: ['permanent', 'invalid_push_type'],
  MissingDeviceToken: ['permanent', 'missing_device_token'],
  PayloadEmpty: ['permanent', 'payload_empty'],
  PayloadTooLarge: ['permanent', 'payload_too_large'],
  BadTopic: ['config', 'bad_topic'],
  MissingTopic: ['config', 'missing_topic'],
  TopicDisallowed: ['config', 'topic_disallowed'],
  BadCertificate: ['config', 'bad_certificate'],
  BadCertificateEnvironment: ['config', 'bad_certificate_environment'],
  BadEnvironmentKeyIdInToken: ['config', 'bad_environment_key'],
  // Renewed once already, or just signed: this machine's clock is wrong.
  ExpiredProviderToken: ['config', 'expired_provider_token'],
  Forbidden: ['config', 'forbidden'],
  InvalidProviderToken: ['config', 'invalid_provider_token'],
  MissingProviderToken: ['config', 'missing_provider_token'],
  UnrelatedKeyIdInToken: ['config', 'unrelated_key'],
  BadPath: ['config', 'bad_path'],
  MethodNotAllowed: ['config', 'method_not_allowed'],
  TooManyProviderTokenUpdates: ['rate', 'too_many_provider_tokens', 60_000],
  // It is about this device; `rate` would slow down the whole account.
  TooManyRequests: ['retry', 'too_many_requests', 60_000],
  IdleTimeout: ['retry', 'idle_timeout'],
  InternalServerError: ['retry', 'internal', 10_000],
  ServiceUnavailable: ['retry', 'unavailable'],
  Shutdown: ['retry', 'shutdown'],
};

function classify(
  { answer, reason, deadSinceMs, mayBeOfOther }: Asked,
  { othersSucceed, registeredMs, nowMs, secrets }: Circumstances,
): Outcome {
  const { status } = answer;
  const words = reason === '' ? `${status} ${answer.body}` : `${status} ${reason}`;
  const delayMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  const say = (outcome: Failure['outcome'], word: string, wait?: Millis) =>
    failure(outcome, word, words, secrets, wait);

  switch (reason) {
    case 'Unregistered':
    case 'ExpiredToken': {
      const word = reason === 'Unregistered' ? 'unregistered' : 'expired_token';
      // Registered again since: the device works, but not for this message.
      if (deadSinceMs !== undefined && registeredMs >= deadSinceMs) {
        return say('permanent', `${word}_before`);
      }
      return say('dead', word);
    }
    case 'BadDeviceToken':
      return say(mayBeOfOther ? 'permanent' : 'dead', 'bad_device_token');
    case 'DeviceTokenNotForTopic':
      return say(othersSucceed ? 'dead' : 'config', 'device_token_not_for_topic');
  }
  const meaning = Object.hasOwn(meanings, reason) ? meanings[reason] : undefined;
  if (meaning !== undefined) return meantFailure(meaning, words, secrets, delayMs);
  // A new Apple reason, or not Apple's response: it says nothing about the device.
  if (status === 403) return say('config', 'forbidden');
  if (status === 429) return meantFailure(['rate', 'throttled', 60_000], words, secrets, delayMs);
  if (status === 401 || status === 404 || status === 405) return say('config', `http_${status}`);
  return meantFailure(httpMeaning(status), words, secrets, delayMs);
}
