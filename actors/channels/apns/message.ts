// The APNs request for one push: headers and payload. Pure. The size limit covers the whole
// payload, including the app's data. A header accepts only printable ASCII.

import { createHash } from 'node:crypto';
import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import { type LiveActivityContent, liveActivityPayload } from '../port/live-activity.ts';
import type { Failure } from '../port/outcome.ts';

const apnsPayloadBytesMax = 4096;
const apnsCollapseIdBytesMax = 64;

/** Per kind of push: its `apns-push-type`, and the topic's suffix after the bundle id. */
const kinds = {
  alert: { topicSuffix: '' },
  liveactivity: { topicSuffix: '.push-type.liveactivity' },
} as const;

interface ApnsPush {
  readonly kind: keyof typeof kinds;
  /** A lower-case UUID; Apple echoes it. */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** 10 sends at once (Apple's default), 5 when it suits the battery. */
  readonly priority?: 5 | 10;
  /** Unix seconds at which Apple stops trying; 0 is one try, absent uses Apple's default. */
  readonly expirationSeconds?: Seconds;
  readonly collapseId?: string;
}

/** A request to `/3/device/<token>` without the provider token. */
export interface ApnsRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request of one attempt, or why there is none. `ttl` is the remaining lifetime. */
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
 * A notification. Beside `aps`: the app's data, then `image`, `buttons` and `deepLink` for its
 * extensions, then our two ids. Later keys win.
 */
function apnsAlert(attempt: Attempt, ttl: Seconds | undefined, nowMs: Millis): ApnsPush | Failure {
  const { content, sendId, deviceId } = attempt;
  const { badgeCount, collapseKey, priority, sound } = content.options;
  const { image, deepLink, data } = content;
  // Refused on acceptance since; content from before that rule still gets here.
  if (data !== undefined && Object.hasOwn(data, 'aps')) {
    return failure('permanent', 'reserved_data_key', 'data.aps is reserved');
  }
  const buttons = content.buttons?.length ? content.buttons : undefined;
  const payload = {
    aps: {
      alert: { title: content.title, body: content.body },
      badge: badgeCount,
      sound: sound === 'none' ? undefined : sound,
      // Starts the app's service extension, which loads the picture and adds the buttons.
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

/** A Live Activity update: own topic, always priority 10, the activity's token in the path. */
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

/** Namespace of our `apns-id`s: any fixed UUID (RFC 9562 5.5). */
const namespace = Buffer.from('6f0d6d0f5c0e4a8f9f5e3c1b2a497d10', 'hex');

/** UUIDv5 of send and device: every attempt has the same one, so repeats are recognizable. */
function apnsIdOf(sendId: string, deviceId: string): string {
  const hash = createHash('sha1').update(namespace).update(`${sendId} ${deviceId}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** A collapse key as a header: unchanged if valid and at most 64 bytes, otherwise hashed. */
function collapseIdOf(collapseKey: string): string {
  const isHeader = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(collapseKey);
  if (isHeader && collapseKey.length <= apnsCollapseIdBytesMax) return collapseKey;
  return createHash('sha256').update(collapseKey).digest('base64url');
}
