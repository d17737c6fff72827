// The APNs stand-in's refusals: Apple's reasons and statuses, and faults by device token. Tokens
// are hexadecimal, so fault names are `dead…`, or `e`, status and a letter, which no real token
// starts with by chance. A once-only fault accepts the token's next call.

import type { Millis } from '../../engine/base/brand.ts';
import type { Effect, NamedFault } from '../faults.ts';

/** Anything but an acceptance. */
export type ApnsReply =
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly reason: string;
      /** When the token died; 410 only. */
      readonly deadSinceMs?: Millis;
      readonly retryAfterSeconds?: number;
    }
  /** GOAWAY. With `processed` this call is the last processed; without, it is not processed. */
  | { readonly kind: 'go_away'; readonly processed: boolean }
  /** RST_STREAM with REFUSED_STREAM: not processed, connection stays. */
  | { readonly kind: 'refused_stream' };

/** Source: Apple, "Handling notification responses from APNs". */
const statusOf = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  BadEnvironmentKeyIdInToken: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  /** Ours: Apple accepts such a push, and the device drops it. */
  InvalidLiveActivity: 400,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const;

export type ApnsReason = keyof typeof statusOf;

export function refuse(
  reason: ApnsReason,
  more: { readonly deadSinceMs?: Millis; readonly retryAfterSeconds?: number } = {},
): ApnsReply & { readonly kind: 'refusal' } {
  return { kind: 'refusal', status: statusOf[reason], reason, ...more };
}

const reasonsOfStatus: Readonly<Record<number, ApnsReason>> = {
  400: 'BadDeviceToken',
  403: 'InvalidProviderToken',
  404: 'BadPath',
  405: 'MethodNotAllowed',
  410: 'Unregistered',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** Apple's most common refusal with this status. */
export function refusalOf(
  status: number,
  retryAfterSeconds: number | undefined,
  nowMs: Millis,
): ApnsReply {
  return {
    kind: 'refusal',
    status,
    reason: reasonsOfStatus[status] ?? 'InternalServerError',
    ...(status === 410 && { deadSinceMs: nowMs }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Tokens whose next call succeeds; drops the oldest when full. */
const refusedOnceMax = 10_000;
const longAgoMs: Millis = Date.UTC(2001, 0, 1);
const slowDefaultMs: Millis = 2_000;

/** By a token's first digits. */
export function apnsNamedFaults(now: () => Millis): readonly NamedFault<ApnsReply>[] {
  const onlyOnce = refusingOnce();
  return [
    always('dead', '410 Unregistered: the app was removed from the device', () =>
      refuse('Unregistered', { deadSinceMs: now() }),
    ),
    always('e410a', '410 Unregistered, but in 2001: the app was installed again since', () =>
      refuse('Unregistered', { deadSinceMs: longAgoMs }),
    ),
    always('e410b', '410 ExpiredToken: the device has another token now', () =>
      refuse('ExpiredToken', { deadSinceMs: now() }),
    ),
    reason('e400a', 'BadDeviceToken', 'a token of the other server, or none at all'),
    reason('e400b', 'DeviceTokenNotForTopic', 'a token of another app'),
    reason('e400c', 'TopicDisallowed', 'the key may not send to this app'),
    reason('e400d', 'IdleTimeout', 'the connection was quiet for too long'),
    reason('e403a', 'InvalidProviderToken', 'the key was revoked'),
    onlyOnce('e403b', '403 ExpiredProviderToken', refuse('ExpiredProviderToken')),
    reason('e413a', 'PayloadTooLarge', 'more than 4,096 bytes'),
    {
      prefix: 'e429a',
      says: '429 TooManyRequests to this device (e429a7f… with Retry-After 7 s)',
      effect: (seconds) =>
        reply(
          refuse(
            'TooManyRequests',
            seconds === undefined ? undefined : { retryAfterSeconds: seconds },
          ),
        ),
    },
    onlyOnce('e429b', '429 TooManyProviderTokenUpdates', refuse('TooManyProviderTokenUpdates')),
    reason('e500a', 'InternalServerError', 'an error at Apple'),
    reason('e503a', 'ServiceUnavailable', 'Apple is busy'),
    reason('e503b', 'Shutdown', 'the server is going down'),
    { prefix: 'e000a', says: 'read, then hung up on', effect: () => ({ kind: 'drop' }) },
    { prefix: 'e000b', says: 'never answered', effect: () => ({ kind: 'hang' }) },
    {
      prefix: 'e000c',
      says: 'accepted after 2 s (e000c500f… after 500 ms)',
      effect: (number) => ({ kind: 'slow', delayMs: Math.min(number ?? slowDefaultMs, 60_000) }),
    },
    always('e000d', 'accepted, with a GOAWAY after it', () => ({
      kind: 'go_away',
      processed: true,
    })),
    onlyOnce('e000e', 'a GOAWAY before it, so that it does not count', {
      kind: 'go_away',
      processed: false,
    }),
    onlyOnce('e000f', 'its stream is refused', { kind: 'refused_stream' }),
  ];
}

const reply = (one: ApnsReply): Effect<ApnsReply> => ({ kind: 'reply', reply: one });

function always(prefix: string, says: string, one: () => ApnsReply): NamedFault<ApnsReply> {
  return { prefix, says, effect: () => reply(one()) };
}

function reason(prefix: string, name: ApnsReason, because: string): NamedFault<ApnsReply> {
  return always(prefix, `${statusOf[name]} ${name}: ${because}`, () => refuse(name));
}

/** Faults that refuse every other call to a token. */
function refusingOnce() {
  const refusedOnce = new Set<string>();
  return (prefix: string, says: string, one: ApnsReply): NamedFault<ApnsReply> => ({
    prefix,
    says: `${says}; the next call is taken`,
    effect: (_number, name) => {
      if (refusedOnce.delete(name)) return undefined;
      const [oldest] = refusedOnce;
      if (oldest !== undefined && refusedOnce.size >= refusedOnceMax) refusedOnce.delete(oldest);
      refusedOnce.add(name);
      return reply(one);
    },
  });
}
