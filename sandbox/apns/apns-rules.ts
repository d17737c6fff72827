// Apple's checks before it looks for the device: path, headers, payload, in order. Push type and
// topic must agree; the size limit applies to the raw payload.

import type { IncomingHttpHeaders } from 'node:http2';
import type { Millis } from '../../engine/base/brand.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { problemOfActivity } from '../live-activity.ts';
import { type ApnsReason, refuse } from './apns-faults.ts';

interface Push {
  readonly device: string;
  readonly topic: string;
  readonly payload: JsonObject;
}

export interface ReceivedPush {
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternating. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** All body bytes; `body` may have only the first. */
  readonly bodyBytes: number;
}

const payloadBytesMax = { voip: 5_120, other: 4_096 } as const;
const topicSuffixes: Readonly<Record<string, string>> = {
  alert: '',
  background: '',
  liveactivity: '.push-type.liveactivity',
  voip: '.voip',
  complication: '.complication',
  fileprovider: '.pushkit.fileprovider',
  location: '.location-query',
  pushtotalk: '.voip-ptt',
  widgets: '.push-type.widgets',
  controls: '.push-type.controls',
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const devicePath = /^\/3\/device\/([^/?]*)$/;

/** A path's device token, or `undefined`. */
export function deviceOf(path: string | undefined): string | undefined {
  const raw = devicePath.exec(path ?? '')?.[1];
  if (raw === undefined) return undefined;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The push, or Apple's refusal, for any caller. */
export function judgePush(received: ReceivedPush, nowMs: Millis): Push | ReturnType<typeof refuse> {
  const { headers, body } = received;
  const device = deviceOf(headers[':path']);
  const problem = problemOf(received, device);
  if (problem !== undefined) return refuse(problem);
  const payload = parseJson(body.toString());
  if (!isJsonObject(payload) || Object.keys(payload).length === 0) return refuse('PayloadEmpty');
  if (isLiveActivity(headers) && problemOfActivity(payload, nowMs) !== undefined)
    return refuse('InvalidLiveActivity');
  return { device: device ?? '', topic: single(headers, 'apns-topic') ?? '', payload };
}

function problemOf(received: ReceivedPush, device: string | undefined): ApnsReason | undefined {
  const { headers, rawHeaders, bodyBytes } = received;
  if (device === undefined) return 'BadPath';
  if (headers[':method'] !== 'POST') return 'MethodNotAllowed';
  if (device === '') return 'MissingDeviceToken';
  if (isRepeated(rawHeaders)) return 'DuplicateHeaders';
  if (!/^([0-9a-f]{2}){32,200}$/i.test(device)) return 'BadDeviceToken';
  const topic = single(headers, 'apns-topic');
  if (topic === undefined) return 'MissingTopic';
  if (!/^[A-Za-z0-9.-]{1,255}$/.test(topic)) return 'BadTopic';
  const kind = single(headers, 'apns-push-type') ?? '';
  const suffix = Object.hasOwn(topicSuffixes, kind) ? topicSuffixes[kind] : undefined;
  if (suffix === undefined) return 'InvalidPushType';
  if (!topic.endsWith(suffix) || (suffix === '' && isSuffixed(topic))) return 'TopicDisallowed';
  const priority = single(headers, 'apns-priority') ?? (kind === 'background' ? '5' : '10');
  if (!['1', '5', '10'].includes(priority)) return 'BadPriority';
  if (kind === 'background' && priority === '10') return 'BadPriority';
  if (!/^\d{1,10}$/.test(single(headers, 'apns-expiration') ?? '0')) return 'BadExpirationDate';
  const collapseId = single(headers, 'apns-collapse-id');
  if (collapseId !== undefined && (collapseId === '' || Buffer.byteLength(collapseId) > 64)) {
    return 'BadCollapseId';
  }
  const id = single(headers, 'apns-id');
  if (id !== undefined && !uuid.test(id)) return 'BadMessageId';
  if (bodyBytes === 0) return 'PayloadEmpty';
  if (bodyBytes > payloadBytesMax[kind === 'voip' ? 'voip' : 'other']) return 'PayloadTooLarge';
  return undefined;
}

export function isLiveActivity(headers: IncomingHttpHeaders): boolean {
  return single(headers, 'apns-push-type') === 'liveactivity';
}

/** Repeated headers are refused earlier. */
export function single(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isSuffixed(topic: string): boolean {
  return Object.values(topicSuffixes).some((suffix) => suffix !== '' && topic.endsWith(suffix));
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!name.startsWith('apns-') && name !== 'authorization') continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}
