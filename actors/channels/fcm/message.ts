// What a rendered message looks like to FCM. Pure. The body is put together from strings, so that
// the part that counts towards FCM's limit is encoded once and measured as it is sent. Easily got
// wrong: every value under `data` is a string, and some of its keys belong to FCM.

import { createHash } from 'node:crypto';
import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { Failure } from '../outcome.ts';
import { isReservedDataKey } from '../reserved-keys.ts';
import { fcmLiveActivity } from './live-activity.ts';

/** The most that notification and data may weigh together, in bytes of JSON. */
const fcmPayloadBytesMax = 4096;
/** 28 days: the longest FCM stores a message, and its default. */
const fcmTtlSecondsMax: Seconds = 2_419_200;
const collapseBytesMax = 64;

/**
 * The request body for one device, or why there can be none. `ttl` is what is left of the message's
 * life. Our ids go into `data` as `engageSendId` and `engageDeviceId`, so that an SDK can report an
 * open.
 */
export function fcmMessage(
  attempt: Attempt,
  token: string,
  ttl: Seconds | undefined,
  nowMs: Millis,
): { readonly body: string } | Failure {
  const { content } = attempt;
  const { liveActivity, options } = content;
  if (liveActivity !== undefined) return fcmLiveActivity(attempt, liveActivity, token, ttl, nowMs);
  const data: Record<string, string> = {};
  for (const [key, value] of Object.entries(content.data ?? {})) {
    // Refused when the message was accepted; here for content from before that rule.
    if (isReservedDataKey(key))
      return failure('permanent', 'reserved_data_key', `data.${key} is reserved`);
    data[key] = value;
  }
  if (content.deepLink !== undefined) data['deepLink'] = content.deepLink;
  if (content.buttons !== undefined && content.buttons.length > 0) {
    data['buttons'] = JSON.stringify(content.buttons);
  }
  data['engageSendId'] = attempt.sendId;
  data['engageDeviceId'] = attempt.deviceId;

  const image = content.image;
  const notification = JSON.stringify({ title: content.title, body: content.body, image });
  const dataText = JSON.stringify(data);
  const bytes = Buffer.byteLength(notification) + Buffer.byteLength(dataText);
  if (bytes > fcmPayloadBytesMax) {
    return failure(
      'permanent',
      'payload_too_large',
      `${bytes} bytes, ${fcmPayloadBytesMax} are allowed`,
    );
  }

  const seconds = ttl === undefined ? undefined : Math.min(ttl, fcmTtlSecondsMax);
  const collapse = options.collapseKey === undefined ? undefined : fitted(options.collapseKey);
  const sound = options.sound === 'none' ? undefined : options.sound;
  const high = options.priority === 'high';

  const android = members({
    priority: options.priority && (high ? 'HIGH' : 'NORMAL'),
    ttl: seconds === undefined ? undefined : `${seconds}s`,
    collapse_key: collapse,
    notification: members({
      channel_id: options.androidChannelId,
      sound,
      notification_count: options.badgeCount,
      tag: collapse,
    }),
  });
  const apns = members({
    headers: members({
      'apns-priority': options.priority && (high ? '10' : '5'),
      'apns-expiration': seconds === undefined ? undefined : expiration(seconds, nowMs),
      'apns-collapse-id': collapse,
    }),
    payload: members({
      aps: members({
        badge: options.badgeCount,
        sound,
        'mutable-content': image === undefined ? undefined : 1,
      }),
    }),
    fcm_options: image === undefined ? undefined : { image },
  });
  const webpush = members({
    headers: members({
      TTL: seconds === undefined ? undefined : String(seconds),
      Urgency: options.priority,
      Topic: options.collapseKey === undefined ? undefined : topicOf(options.collapseKey),
    }),
    // FCM takes https links only, and refuses the whole message for another.
    fcm_options: content.deepLink?.startsWith('https://') ? { link: content.deepLink } : undefined,
  });

  let body = `{"message":{"token":${JSON.stringify(token)},"notification":${notification},"data":${dataText}`;
  if (android !== undefined) body += `,"android":${JSON.stringify(android)}`;
  if (apns !== undefined) body += `,"apns":${JSON.stringify(apns)}`;
  if (webpush !== undefined) body += `,"webpush":${JSON.stringify(webpush)}`;
  return { body: `${body}}}` };
}

/**
 * A collapse key as a web push `Topic`: 32 letters of base64url, whatever the key is. Source: RFC
 * 8030 5.4.
 */
export function topicOf(collapseKey: string): string {
  return createHash('sha256').update(collapseKey).digest('base64url').slice(0, 32);
}

/** A collapse key that fits APNs' 64 bytes; a longer one is replaced by its hash. */
function fitted(collapseKey: string): string {
  if (Buffer.byteLength(collapseKey) <= collapseBytesMax) return collapseKey;
  return createHash('sha256').update(collapseKey).digest('base64url');
}

/** 0 means "try once", not "expired in 1970". */
function expiration(seconds: Seconds, nowMs: Millis): string {
  return seconds === 0 ? '0' : String(Math.floor(nowMs / 1000) + seconds);
}

/** The object, or `undefined` when no member of it has a value. */
function members<T extends Record<string, unknown>>(object: T): T | undefined {
  return Object.values(object).some((value) => value !== undefined) ? object : undefined;
}
