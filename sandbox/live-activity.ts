// A Live Activity push as ActivityKit reads it: its problem, the lock screen, whether the device
// drops it. Apple accepts malformed pushes and devices drop them silently; the stand-ins refuse
// them to expose the mistake. Source: Apple, "Starting and updating Live Activities with
// ActivityKit push notifications".

import type { Millis } from '../engine/base/brand.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from './json.ts';
import type { Content } from './message.ts';

/** Activities with a remembered push; drops the oldest when full. */
const shownMax = 10_000;
/** Further ahead, it must be in milliseconds. */
const aheadSecondsMax = 86_400;
const events = ['start', 'update', 'end'];
const times = ['stale-date', 'dismissal-date'];
// biome-ignore format: a table reads better packed
const members = new Set([
  'timestamp', 'event', 'content-state', 'alert', 'attributes', 'attributes-type', 'relevance-score', 'sound',
  'input-push-token', 'input-push-channel', ...times,
]);

/** The first unreadable field and what is expected; `undefined` if valid. */
export function problemOfActivity(payload: JsonObject, nowMs: Millis): string | undefined {
  const { aps } = payload;
  if (!isJsonObject(aps)) return 'aps: expected an object';
  const unknown = Object.keys(aps).find((name) => !members.has(name));
  if (unknown !== undefined) return `aps.${unknown}: no member of a Live Activity's payload`;
  const { timestamp, event, alert } = aps;
  const nowSeconds = Math.floor(nowMs / 1000);
  if (!isTime(timestamp) || timestamp > nowSeconds + aheadSecondsMax)
    return 'aps.timestamp: expected the time in seconds';
  if (typeof event !== 'string' || !events.includes(event))
    return 'aps.event: expected start, update or end';
  const isStart = event === 'start';
  if (
    !isJsonObject(aps['content-state']) &&
    (event !== 'end' || aps['content-state'] !== undefined)
  )
    return 'aps.content-state: expected an object';
  for (const name of times)
    if (aps[name] !== undefined && !isTime(aps[name]))
      return `aps.${name}: expected the time in seconds`;
  if (isStart && (textOf(aps['attributes-type']) === undefined || !isJsonObject(aps['attributes'])))
    return 'aps.attributes: a start needs attributes and attributes-type';
  if (alert === undefined) return isStart ? 'aps.alert: a start needs one' : undefined;
  const { title, body } = objectOrEmpty(alert);
  const isWhole = isText(title) && isText(body);
  return isWhole ? undefined : 'aps.alert: expected a title and a body, or ActivityKit ignores it';
}

/** What the lock screen shows. `note` names an oddity. */
export function contentOfActivity(payload: JsonObject, note?: string): Content {
  const aps = objectOrEmpty(payload['aps']);
  const { alert: alertMember, 'content-state': state, ...options } = aps;
  const alert = objectOrEmpty(alertMember);
  const body = textOf(alert['body']);
  const lines = Object.entries(objectOrEmpty(state)).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = [...(body === undefined ? [] : [body]), ...lines].join('\n');
  const kind = `A Live Activity: ${textOf(aps['event']) ?? 'no event'}`;
  return {
    title: textOf(alert['title']) ?? 'Live Activity',
    ...(text === '' ? undefined : { text }),
    details: [
      ['aps.content-state', JSON.stringify(state)],
      ...Object.entries(options).map(([name, value]) => [`aps.${name}`, String(value)] as const),
      ...(alertMember === undefined ? [] : [['aps.alert', JSON.stringify(alertMember)] as const]),
    ],
    note: note === undefined ? kind : `${kind}. ${note}`,
  };
}

/** The newest push per token. */
export class ShownActivities {
  readonly #newest = new Map<string, { readonly timestamp: number; readonly isEnd: boolean }>();

  /** Shows an accepted push; returns why the device drops it, if so. */
  show(token: string, payload: JsonObject): string | undefined {
    const { timestamp, event } = objectOrEmpty(payload['aps']);
    const before = this.#newest.get(token);
    if (before?.isEnd === true) return 'The device drops it: the activity has ended';
    if (before !== undefined && Number(timestamp) <= before.timestamp)
      return 'The device drops it: it shows something newer';
    this.#newest.delete(token); // to the end of the order
    this.#newest.set(token, { timestamp: Number(timestamp), isEnd: event === 'end' });
    if (this.#newest.size > shownMax)
      for (const oldest of this.#newest.keys()) {
        this.#newest.delete(oldest);
        break;
      }
    return undefined;
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 1_000_000_000;
}

function isText(value: unknown): boolean {
  return (
    textOf(value) !== undefined || (isJsonObject(value) && textOf(value['loc-key']) !== undefined)
  );
}
