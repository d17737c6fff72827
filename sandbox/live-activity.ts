// A push to a Live Activity as ActivityKit reads it, whichever way it came: what is wrong with its
// payload, what the lock screen shows, and whether the device drops it. Mind that the real Apple
// takes a malformed one and the device drops it without a word; the stand-ins refuse it, so that
// the mistake is seen. Source: Apple, "Starting and updating Live Activities with ActivityKit push
// notifications".

import type { Millis } from '../engine/base/brand.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from './json.ts';
import type { Content } from './message.ts';

/** Activities whose newest push is remembered; past it the first are forgotten. */
const shownMax = 10_000;
/** A time further ahead is one in milliseconds. */
const aheadSecondsMax = 86_400;
const events = ['start', 'update', 'end'];
const times = ['stale-date', 'dismissal-date'];
// biome-ignore format: a table reads better packed
const members = new Set([
  'timestamp', 'event', 'content-state', 'alert', 'attributes', 'attributes-type', 'relevance-score', 'sound',
  'input-push-token', 'input-push-channel', ...times,
]);

/**
 * What of a payload ActivityKit would not understand, as a member and what was expected;
 * `undefined` for a good one.
 */
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

/** What the lock screen shows of a payload without a problem. `note` is what is odd about it. */
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

/** What devices show: the newest push of each token. */
export class ShownActivities {
  readonly #newest = new Map<string, { readonly timestamp: number; readonly isEnd: boolean }>();

  /**
   * Takes a push that was accepted; says why its device drops it, or `undefined` where it shows it.
   */
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
