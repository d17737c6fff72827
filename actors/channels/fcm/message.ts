// FCM's request for a rendered message. Pure. The body is built from strings, so that the limited
// part is encoded once and measured as sent. `data` has only strings, and FCM reserves some keys.

import { createHash } from 'node:crypto';
import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../port/answers.ts';
import type { Attempt, DeliveryOptions, RenderedContent } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { isReservedDataKey } from '../port/reserved-keys.ts';
import { fcmLiveActivity } from './live-activity.ts';

/** Limit of notification and data together, in bytes of JSON. */
const fcmPayloadBytesMax = 4096;
/** 28 days: FCM's longest storage time, and its default. */
const fcmTtlSecondsMax: Seconds = 2_419_200;
const collapseBytesMax = 64;

/**
 * The body for one device, or why there is none. `ttl` is the remaining lifetime. `data` holds our
 * ids as `engageSendId` and `engageDeviceId`, so that an SDK can report an open.
 */
export function fcmMessage(
  attempt: Attempt,
  token: string,
  ttl: Seconds | undefined,
  nowMs: Millis,
): { readonly body: string } | Failure {
  const { content } = attempt;
  const { liveActivity, title, image, options } = content;
  if (liveActivity !== undefined) return fcmLiveActivity(attempt, liveActivity, token, ttl, nowMs);
  const data = dataText(attempt);
  if (typeof data !== 'string') return data;
  const notification = JSON.stringify({ title, body: content.body, image });
  const bytes = Buffer.byteLength(notification) + Buffer.byteLength(data);
  if (bytes > fcmPayloadBytesMax) {
    const words = `${bytes} bytes, ${fcmPayloadBytesMax} are allowed`;
    return failure('permanent', 'payload_too_large', words);
  }

  const seconds = ttl === undefined ? undefined : Math.min(ttl, fcmTtlSecondsMax);
  const collapse = options.collapseKey === undefined ? undefined : fitted(options.collapseKey);
  const android = androidOf(content, seconds, collapse);
  const apns = apnsOf(content, seconds, collapse, nowMs);
  const webpush = webpushOf(content, seconds);
  let body = `{"message":{"token":${JSON.stringify(token)},"notification":${notification},"data":${data}`;
  if (android !== undefined) body += `,"android":${JSON.stringify(android)}`;
  if (apns !== undefined) body += `,"apns":${JSON.stringify(apns)}`;
  if (webpush !== undefined) body += `,"webpush":${JSON.stringify(webpush)}`;
  return { body: `${body}}}` };
}

/** `data` as JSON: the app's data, then deep link and buttons, then our ids. */
function dataText({ content, sendId, deviceId }: Attempt): string | Failure {
  const { buttons, deepLink } = content;
  const data: Record<string, string> = {};
  for (const [key, value] of Object.entries(content.data ?? {})) {
    // Refused on acceptance since; content from before that rule still gets here.
    if (isReservedDataKey(key))
      return failure('permanent', 'reserved_data_key', `data.${key} is reserved`);
    data[key] = value;
  }
  if (deepLink !== undefined) data['deepLink'] = deepLink;
  if (buttons !== undefined && buttons.length > 0) data['buttons'] = JSON.stringify(buttons);
  data['engageSendId'] = sendId;
  data['engageDeviceId'] = deviceId;
  return JSON.stringify(data);
}

function androidOf(
  { options }: RenderedContent,
  seconds: Seconds | undefined,
  collapse: string | undefined,
): object | undefined {
  return members({
    priority: options.priority && (options.priority === 'high' ? 'HIGH' : 'NORMAL'),
    ttl: seconds === undefined ? undefined : `${seconds}s`,
    collapse_key: collapse,
    notification: members({
      channel_id: options.androidChannelId,
      sound: soundOf(options),
      notification_count: options.badgeCount,
      tag: collapse,
    }),
  });
}

function apnsOf(
  { image, options }: RenderedContent,
  seconds: Seconds | undefined,
  collapse: string | undefined,
  nowMs: Millis,
): object | undefined {
  return members({
    headers: members({
      'apns-priority': options.priority && (options.priority === 'high' ? '10' : '5'),
      'apns-expiration': seconds === undefined ? undefined : expiration(seconds, nowMs),
      'apns-collapse-id': collapse,
    }),
    payload: members({
      aps: members({
        badge: options.badgeCount,
        sound: soundOf(options),
        'mutable-content': image === undefined ? undefined : 1,
      }),
    }),
    fcm_options: image === undefined ? undefined : { image },
  });
}

function webpushOf(
  { deepLink, options }: RenderedContent,
  seconds: Seconds | undefined,
): object | undefined {
  return members({
    headers: members({
      TTL: seconds === undefined ? undefined : String(seconds),
      Urgency: options.priority,
      Topic: options.collapseKey === undefined ? undefined : topicOf(options.collapseKey),
    }),
    // FCM refuses the whole message for a link that is not https.
    fcm_options: deepLink?.startsWith('https://') ? { link: deepLink } : undefined,
  });
}

function soundOf({ sound }: DeliveryOptions): string | undefined {
  return sound === 'none' ? undefined : sound;
}

/** A collapse key as a web push `Topic`: always 32 letters of base64url. RFC 8030 5.4. */
export function topicOf(collapseKey: string): string {
  return createHash('sha256').update(collapseKey).digest('base64url').slice(0, 32);
}

/** A collapse key within APNs' 64 bytes; a longer one is hashed. */
function fitted(collapseKey: string): string {
  if (Buffer.byteLength(collapseKey) <= collapseBytesMax) return collapseKey;
  return createHash('sha256').update(collapseKey).digest('base64url');
}

/** 0 means "try once", not "expired in 1970". */
function expiration(seconds: Seconds, nowMs: Millis): string {
  return seconds === 0 ? '0' : String(Math.floor(nowMs / 1000) + seconds);
}

/** The object; `undefined` if no field has a value. */
function members<T extends Record<string, unknown>>(object: T): T | undefined {
  return Object.values(object).some((value) => value !== undefined) ? object : undefined;
}
