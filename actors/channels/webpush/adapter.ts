// Web push to browsers. The address comes from anyone: in live mode it is a guarded destination on
// a known push service; in sandbox mode it only appears in the path of the stand-in's URL. A 401 or
// 403 is the key pair's fault until others succeed with it, so it must not disable devices.

import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { WebPushSubscription } from '../addresses/endpoint.ts';
import { topicOf } from '../fcm/message.ts';
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
import { RecentSuccess } from '../port/bounded-cache.ts';
import { parseObject } from '../port/json.ts';
import type { Failure, Outcome } from '../port/outcome.ts';
import { hasTexts } from '../port/provider-config.ts';
import type { WebPushKeys } from './channel.ts';
import { createVapidTokens, encrypt } from './encryption.ts';
import { webPushMessage } from './message.ts';
import { isPushServiceHost } from './subscription.ts';
import { makeVapidKeys } from './vapid-keys.ts';

/** Four weeks, the longest storage time of push services. */
const ttlSecondsMax = 2_419_200;
const throttled: Meaning = ['rate', 'throttled', minuteMs];

const isKeyPair = hasTexts<WebPushKeys>('publicKey', 'privateKey');

/** Needs the app's VAPID key pair; sandbox mode makes one if there is none. */
export function createWebPush({ config, outbound, clock }: AdapterContext): Adapter {
  const vapid = createVapidTokens();
  const successes = new RecentSuccess();
  const standIn = config.mode === 'sandbox' ? config.webPushUrl : undefined;
  let sandboxKeys: Promise<WebPushKeys> | undefined;

  return {
    async send(attempt, credentials, mayBegin) {
      const subscription = attempt.endpoint;
      if (typeof subscription === 'string')
        return { outcome: 'permanent', reason: 'not_a_subscription' };
      let keys = isKeyPair(credentials) ? credentials : undefined;
      if (keys === undefined) {
        if (config.mode === 'live') return { outcome: 'config', reason: 'not_configured' };
        keys = await (sandboxKeys ??= makeVapidKeys());
      }
      const ttl = secondsLeft(attempt, clock.now());
      if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
      const message = webPushMessage(attempt);
      if ('outcome' in message) return message;
      if (!URL.canParse(subscription.endpoint))
        return { outcome: 'dead', reason: 'invalid_subscription' };
      const url = new URL(subscription.endpoint);
      const isAnyHost = standIn !== undefined || outbound.allowPrivateNetworks;
      if (!isAnyHost && !isPushServiceHost(url.hostname))
        return { outcome: 'permanent', reason: 'push_service_not_allowed' };
      const body = encrypt(subscription.keys, message.plaintext);
      if (body === undefined) return { outcome: 'dead', reason: 'invalid_subscription' };

      const { collapseKey, priority } = attempt.content.options;
      const subject = keys.subject ?? config.vapidSubject;
      const result = await outbound.call({
        method: 'POST',
        url: standIn === undefined ? url.href : standInUrl(standIn, subscription),
        destination: standIn === undefined ? 'guarded' : 'trusted',
        headers: {
          authorization: vapid.header(url.origin, keys, subject, clock.now()),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(Math.min(ttl ?? ttlSecondsMax, ttlSecondsMax)),
          ...(priority !== undefined && { urgency: priority }),
          ...(collapseKey !== undefined && { topic: topicOf(collapseKey) }),
        },
        body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      if (result.status >= 200 && result.status < 300) {
        successes.note(keys.publicKey, clock.now());
        const { location } = result.headers;
        return {
          outcome: 'accepted',
          ...(typeof location === 'string' && { providerMessageId: location.slice(0, 512) }),
        };
      }
      return classify(result, {
        host: url.hostname,
        othersSucceed: successes.has(keys.publicKey, clock.now()),
        nowMs: clock.now(),
        secrets: secretsOf(subscription, url),
      });
    },
    check: async () => ({
      checked: false,
      why: 'web push has no account: browsers accept the key that they subscribed with',
    }),
    close: () => Promise.resolve(),
  };
}

interface Circumstances {
  readonly host: string;
  readonly othersSucceed: boolean;
  readonly nowMs: Millis;
  readonly secrets: readonly string[];
}

function classify(answer: ProviderResponse, circumstances: Circumstances): Outcome {
  const { status } = answer;
  const { host, othersSucceed, nowMs, secrets } = circumstances;
  const said = wordsOf(answer);
  const words = `${status} ${said}`;
  const delayMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  const say = (outcome: Failure['outcome'], reason: string, wait?: Millis) =>
    failure(outcome, reason, words, secrets, wait);

  switch (status) {
    case 404:
    case 410:
      return say('dead', 'unsubscribed');
    case 400:
      if (/vapid|unauthori[sz]ed|jwt/i.test(said)) return say('config', 'vapid_refused');
      return say('permanent', 'bad_request');
    case 401:
    case 403:
      // A subscription made with another key pair will never work; others work with this pair.
      if (othersSucceed && /mismatch|do(es)? not correspond/i.test(said))
        return say('dead', 'vapid_mismatch');
      return say('config', 'vapid_refused');
    case 406:
      // Microsoft's form of 429.
      if (host.endsWith('.notify.windows.com'))
        return meantFailure(throttled, words, secrets, delayMs);
      return say('permanent', 'http_406');
    case 429:
      return meantFailure(throttled, words, secrets, delayMs);
  }
  if (status < 400) return say('permanent', 'redirected');
  return meantFailure(httpMeaning(status), words, secrets, delayMs);
}

/** Mozilla uses `message`, Apple `reason`, Google plain text. */
function wordsOf(answer: ProviderResponse): string {
  const body = parseObject(answer.body);
  for (const key of ['message', 'reason', 'error'] as const) {
    const said = body[key];
    if (typeof said === 'string') return said;
  }
  return answer.body;
}

function secretsOf({ endpoint, keys }: WebPushSubscription, url: URL): readonly string[] {
  return [endpoint, url.pathname.slice(1), keys.p256dh, keys.auth];
}

function standInUrl(base: string, subscription: WebPushSubscription): string {
  return `${base}/to/${Buffer.from(subscription.endpoint).toString('base64url')}`;
}
