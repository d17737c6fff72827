// The messages that FCM v1 accepts, and its refusals: field names and types as in Google's JSON
// parser, then messaging rules. Accepts snake_case and lowerCamelCase, as proto3 JSON does. The
// size limit counts only notification and data.

import type { Millis } from '../../engine/base/brand.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from '../json.ts';
import { problemOfActivity } from '../live-activity.ts';

/** Notification and data as JSON; half for a topic or condition. */
const payloadBytesMax = 4_096;
const timeToLiveSecondsMax = 2_419_200;

/** Why it is refused. `violation`: does not parse; the other has an FcmError. */
interface MessageProblem {
  readonly kind: 'violation' | 'invalid_argument';
  readonly field: string;
  readonly message: string;
}

// biome-ignore format: a table reads better packed
const fieldsOf = {
  message: ['name', 'data', 'notification', 'android', 'webpush', 'apns', 'fcm_options', 'token', 'topic', 'condition'],
  notification: ['title', 'body', 'image'],
  android: [
    'collapse_key', 'priority', 'ttl', 'restricted_package_name', 'data', 'notification', 'fcm_options',
    'direct_boot_ok', 'bandwidth_constrained_ok', 'restricted_satellite_ok',
  ],
  'android.notification': [
    'title', 'body', 'icon', 'color', 'sound', 'tag', 'click_action', 'body_loc_key', 'body_loc_args',
    'title_loc_key', 'title_loc_args', 'channel_id', 'ticker', 'sticky', 'event_time', 'local_only',
    'notification_priority', 'default_sound', 'default_vibrate_timings', 'default_light_settings',
    'vibrate_timings', 'visibility', 'notification_count', 'light_settings', 'image', 'bypass_proxy_notification',
    'proxy',
  ],
  apns: ['headers', 'payload', 'fcm_options', 'live_activity_token'],
  webpush: ['headers', 'data', 'notification', 'fcm_options'],
} as const;

type Part = keyof typeof fieldsOf;

const knownFields = new Map(
  Object.entries(fieldsOf).map(([part, names]) => [
    part,
    new Set(names.flatMap((name) => [name, camelCase(name)])),
  ]),
);

/** The first problem in Google's terms, or `undefined`. */
export function problemOfFcmMessage(message: unknown, nowMs: Millis): MessageProblem | undefined {
  if (!isJsonObject(message)) return violation('message', "Invalid value at 'message'");
  return (
    problemOfFields(message) ??
    problemOfData(message['data'], 'message.data') ??
    problemOfData(objectOrEmpty(message['android'])['data'], 'message.android.data') ??
    problemOfTarget(message) ??
    problemOfAndroid(message['android']) ??
    problemOfLiveActivity(message, nowMs) ??
    problemOfSize(message)
  );
}

function problemOfFields(message: JsonObject): MessageProblem | undefined {
  const android = message['android'];
  return (
    unknownField('message', message, 'message') ??
    unknownField('notification', message['notification'], 'message.notification') ??
    unknownField('android', android, 'message.android') ??
    unknownField(
      'android.notification',
      objectOrEmpty(android)['notification'],
      'message.android.notification',
    ) ??
    unknownField('apns', message['apns'], 'message.apns') ??
    unknownField('webpush', message['webpush'], 'message.webpush')
  );
}

function unknownField(part: Part, value: unknown, path: string): MessageProblem | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return violation(path, `Invalid value at '${path}'`);
  const known = knownFields.get(part);
  for (const name in value) {
    if (!known?.has(name))
      return violation(path, `Unknown name "${name}" at '${path}': Cannot find field.`);
  }
  return undefined;
}

function problemOfData(data: unknown, path: string): MessageProblem | undefined {
  if (data === undefined || data === null) return undefined;
  if (!isJsonObject(data)) return violation(path, `Invalid value at '${path}'`);
  for (const key in data) {
    const value = data[key];
    if (typeof value !== 'string') {
      return violation(
        `${path}[${key}].value`,
        `Invalid value at '${path}[${key}].value' (TYPE_STRING), ${JSON.stringify(value)}`,
      );
    }
    if (
      key === 'from' ||
      key === 'message_type' ||
      key.startsWith('google') ||
      key.startsWith('gcm')
    ) {
      return invalid(path, `Invalid data payload key: ${key}`);
    }
  }
  return undefined;
}

function problemOfTarget(message: JsonObject): MessageProblem | undefined {
  let targets = 0;
  for (const name of ['token', 'topic', 'condition'] as const) {
    const target = message[name];
    if (target === undefined) continue;
    if (typeof target !== 'string')
      return violation(`message.${name}`, `Invalid value at 'message.${name}' (TYPE_STRING)`);
    if (target === '') return invalid(`message.${name}`, 'Recipient of the message is not set.');
    targets++;
  }
  if (targets === 1) return undefined;
  return targets === 0
    ? invalid('message', 'Recipient of the message is not set.')
    : violation(
        'message',
        "Invalid value at 'message' (oneof), oneof field 'target' is already set.",
      );
}

function problemOfAndroid(android: unknown): MessageProblem | undefined {
  const { ttl, priority } = objectOrEmpty(android);
  if (ttl !== undefined) {
    const seconds =
      typeof ttl === 'string' && /^\d{1,9}(\.\d{1,9})?s$/.test(ttl)
        ? Number.parseFloat(ttl)
        : Number.NaN;
    if (Number.isNaN(seconds)) {
      return violation(
        'message.android.ttl',
        "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration)",
      );
    }
    if (seconds > timeToLiveSecondsMax) {
      return invalid(
        'message.android.ttl',
        'Invalid value at message.android.ttl: it must be between 0 and 2419200 seconds.',
      );
    }
  }
  if (
    priority !== undefined &&
    !(typeof priority === 'string' && /^(high|normal)$/i.test(priority))
  ) {
    return violation('message.android.priority', "Invalid value at 'message.android.priority'");
  }
  return undefined;
}

/** A Live Activity's push token, or `undefined`. */
export function activityTokenOf(message: JsonObject): unknown {
  const apns = objectOrEmpty(message['apns']);
  return apns['live_activity_token'] ?? apns['liveActivityToken'];
}

/** FCM requires the phone too, and forwards Apple's payload. */
function problemOfLiveActivity(message: JsonObject, nowMs: Millis): MessageProblem | undefined {
  const token = activityTokenOf(message);
  if (token === undefined || token === null) return undefined;
  const field = 'message.apns.live_activity_token';
  if (typeof token !== 'string')
    return violation(field, `Invalid value at '${field}' (TYPE_STRING)`);
  if (!/^([0-9a-f]{2}){32,200}$/i.test(token))
    return invalid(field, 'The live activity token is not a valid APNs token');
  if (textOf(message['token']) === undefined)
    return invalid('message.token', 'A live activity needs the registration token of its device');
  const { headers, payload } = objectOrEmpty(message['apns']);
  const { 'apns-push-type': kind = 'liveactivity', 'apns-priority': priority = '10' } =
    objectOrEmpty(headers);
  if (kind !== 'liveactivity')
    return invalid('message.apns.headers', 'apns-push-type is not that of a live activity');
  if (priority !== '5' && priority !== '10')
    return invalid('message.apns.headers', 'apns-priority: expected 5 or 10');
  const problem = problemOfActivity(objectOrEmpty(payload), nowMs);
  if (problem !== undefined) return invalid('message.apns.payload', problem);
  if (bytesOf(payload) > payloadBytesMax)
    return invalid('message.apns.payload', `APNs payload exceeds ${payloadBytesMax} bytes.`);
  return undefined;
}

function problemOfSize(message: JsonObject): MessageProblem | undefined {
  const limit = message['token'] === undefined ? payloadBytesMax / 2 : payloadBytesMax;
  const bytes =
    bytesOf(message['notification']) +
    bytesOf(message['data'] ?? objectOrEmpty(message['android'])['data']);
  if (bytes <= limit) return undefined;
  return invalid('message', `Message payload exceeds the limit of ${limit} bytes.`);
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function violation(field: string, message: string): MessageProblem {
  return { kind: 'violation', field, message };
}

function invalid(field: string, message: string): MessageProblem {
  return { kind: 'invalid_argument', field, message };
}
