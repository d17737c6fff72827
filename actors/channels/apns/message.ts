// What APNs is handed for one push: its headers, and the payload they stand beside. Pure.
// `apnsAlert` says what a rendered message is to Apple; `apnsRequest` makes any kind of push into a
// request, so that another kind is a row of `kinds` and a function beside `apnsAlert`. Easily got
// wrong: the whole payload is bounded, the app's own members with it, and a header takes printable
// ASCII only.

import { createHash } from 'node:crypto';
import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import { type LiveActivityContent, liveActivityPayload } from '../live-activity.ts';
import type { Failure } from '../outcome.ts';

/** The most that a payload may weigh, in bytes of JSON. */
const apnsPayloadBytesMax = 4096;
/** The most bytes of an `apns-collapse-id`. */
const apnsCollapseIdBytesMax = 64;

/** The kinds of push, each by its `apns-push-type`, and what its topic has after the bundle id. */
const kinds = {
  alert: { topicSuffix: '' },
  liveactivity: { topicSuffix: '.push-type.liveactivity' },
} as const;

/** One push before it is a request: everything but the app's bundle id and the device. */
interface ApnsPush {
  readonly kind: keyof typeof kinds;
  /** A lower-case UUID, which Apple echoes. */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** 10 at once, 5 when it suits the battery; Apple takes 10 where it is absent. */
  readonly priority?: 5 | 10;
  /** Unix seconds after which Apple gives up; 0 is one try, absent is Apple's own patience. */
  readonly expirationSeconds?: Seconds;
  readonly collapseId?: string;
}

/** A request to `/3/device/<token>`, but for the provider's token. */
export interface ApnsRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The request of one attempt for the app with this bundle id, or why there can be none. `ttl` is
 * what is left of its life.
 */
export function apnsMessage(
  attempt: Attempt,
  bundleId: string,
  ttl: Seconds | undefined,
  nowMs: Millis,
): ApnsRequest | Failure {
  const { liveActivity } = attempt.content;
  const push =
    liveActivity === undefined
      ? apnsAlert(attempt, ttl, nowMs)
      : apnsLiveActivity(attempt, liveActivity, ttl, nowMs);
  return 'outcome' in push ? push : apnsRequest(push, bundleId);
}

/** Headers and payload of a push of any kind, or why it is too large. */
function apnsRequest(push: ApnsPush, bundleId: string): ApnsRequest | Failure {
  const body = JSON.stringify(push.payload);
  const bytes = Buffer.byteLength(body);
  if (bytes > apnsPayloadBytesMax) {
    const words = `${bytes} bytes, ${apnsPayloadBytesMax} are allowed`;
    return failure('permanent', 'payload_too_large', words);
  }
  const headers: Record<string, string> = {
    'apns-id': push.id,
    'apns-push-type': push.kind,
    'apns-topic': bundleId + kinds[push.kind].topicSuffix,
  };
  if (push.priority !== undefined) headers['apns-priority'] = String(push.priority);
  if (push.expirationSeconds !== undefined) {
    headers['apns-expiration'] = String(push.expirationSeconds);
  }
  if (push.collapseId !== undefined) headers['apns-collapse-id'] = push.collapseId;
  return { headers, body };
}

/**
 * A rendered message as a notification. The app's own data stand beside `aps`, as do the members
 * that its extensions draw: `image`, `buttons` and `deepLink`, which win over data of the same
 * names, and our two ids.
 */
function apnsAlert(attempt: Attempt, ttl: Seconds | undefined, nowMs: Millis): ApnsPush | Failure {
  const { content, sendId, deviceId } = attempt;
  const { badgeCount, collapseKey, priority, sound } = content.options;
  const { image, deepLink, data } = content;
  // Refused when the message was accepted; here for content from before that rule.
  if (data !== undefined && Object.hasOwn(data, 'aps')) {
    return failure('permanent', 'reserved_data_key', 'data.aps is reserved');
  }
  const buttons = content.buttons?.length ? content.buttons : undefined;
  const payload = {
    aps: {
      alert: { title: content.title, body: content.body },
      badge: badgeCount,
      sound: sound === 'none' ? undefined : sound,
      // Wakes the app's service extension, which fetches the picture and makes the buttons.
      'mutable-content': image === undefined && buttons === undefined ? undefined : 1,
    },
    ...data,
    ...(image !== undefined && { image }),
    ...(deepLink !== undefined && { deepLink }),
    ...(buttons !== undefined && { buttons }),
    engageSendId: sendId,
    engageDeviceId: deviceId,
  };
  return {
    kind: 'alert',
    id: apnsIdOf(sendId, deviceId),
    payload,
    ...(priority !== undefined && { priority: priority === 'high' ? 10 : 5 }),
    // 0 means "try once", not "expired in 1970".
    ...(ttl !== undefined && {
      expirationSeconds: ttl === 0 ? 0 : Math.floor(nowMs / 1000) + ttl,
    }),
    ...(collapseKey !== undefined && { collapseId: collapseIdOf(collapseKey) }),
  };
}

/**
 * An update of a Live Activity: a topic of its own, and always at once. The token in the path is
 * the activity's.
 */
function apnsLiveActivity(
  { sendId, deviceId }: Pick<Attempt, 'sendId' | 'deviceId'>,
  content: LiveActivityContent,
  ttl: Seconds | undefined,
  nowMs: Millis,
): ApnsPush {
  return {
    kind: 'liveactivity',
    id: apnsIdOf(sendId, deviceId),
    payload: liveActivityPayload(content),
    priority: 10,
    ...(ttl !== undefined && { expirationSeconds: Math.floor(nowMs / 1000) + ttl }),
  };
}

/** Namespace of our `apns-id`s; any fixed UUID does. Source: RFC 9562 5.5. */
const namespace = Buffer.from('6f0d6d0f5c0e4a8f9f5e3c1b2a497d10', 'hex');

/**
 * The UUID (version 5) of a send to a device: the same for every attempt, so that a repetition can
 * be told as one.
 */
function apnsIdOf(sendId: string, deviceId: string): string {
  const hash = createHash('sha1').update(namespace).update(`${sendId} ${deviceId}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** A collapse key as a header: itself where it is one of at most 64 bytes, else its hash. */
function collapseIdOf(collapseKey: string): string {
  const isHeader = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(collapseKey);
  if (isHeader && collapseKey.length <= apnsCollapseIdBytesMax) return collapseKey;
  return createHash('sha256').update(collapseKey).digest('base64url');
}
