// A stored event as an entry of its person's story. Receipts of all sends are events, so campaigns
// and journeys appear here without extra storage. Pure. `atMs`, by which stories are ordered, is
// when Engage received the event; clients may report an earlier time.

import type { Millis } from '../../../engine/base/brand.ts';
import type { EventView } from '../../events/protocol.ts';
import { isObject } from '../../is-object.ts';
import { checksOf } from './checks.ts';
import type { StoryCode, StoryKind } from './codes.ts';
import type { StoryEntry } from './protocol.ts';

export type PersonEvent = Omit<EventView, 'subscriberId' | 'externalUserId'>;

/** Events of the service and of beacons, by their code and name; all others are `tracked`. */
const kinds: Readonly<Partial<Record<StoryCode, StoryKind>>> = {
  sent: 'receipt',
  delivered: 'receipt',
  bounced: 'receipt',
  failed: 'receipt',
  suppressed: 'receipt',
  deferred: 'receipt',
  unsubscribed: 'opt_out',
  preferences_changed: 'event',
  opt_in_confirmed: 'event',
  opened: 'receipt',
  clicked: 'receipt',
  dismissed: 'receipt',
  session: 'event',
  inapp_viewed: 'event',
  inapp_clicked: 'event',
  inapp_dismissed: 'event',
  inbox_read: 'event',
  inbox_archived: 'event',
  journey_enrolled: 'journey',
  journey_converted: 'journey',
  journey_completed: 'journey',
};

/** `readMs`: the time of the read; a `next` before it is omitted. */
export function storyOfEvent(event: PersonEvent, readMs: Millis): StoryEntry {
  const code = Object.hasOwn(kinds, event.name) ? (event.name as StoryCode) : 'tracked';
  const kind = kinds[code] ?? 'event';
  const { channel, deviceId, sendId, campaignId, journeyId, messageId, id: eventId } = event;
  const base = {
    kind,
    code,
    atMs: event.receivedMs,
    eventId,
    ...(code === 'tracked' ? { name: event.name } : {}),
    ...present({ channel, deviceId, sendId, campaignId, journeyId, messageId }),
  };
  if (isService(kind)) return { ...base, ...metaOf(event, code, readMs) };
  return isPreference(code) ? { ...base, ...preferencesIn(event.props) } : base;
}

/** Their props are the service's own, too: no client sends such an event. */
function isPreference(code: StoryCode): boolean {
  return code === 'preferences_changed' || code === 'opt_in_confirmed';
}

/** Topics with what they became, or the list of those that were confirmed. */
function preferencesIn(props: unknown): Partial<StoryEntry> {
  const { topics, source, ...others } = isObject(props) ? props : {};
  const confirmed = Array.isArray(topics) ? topics.map((key) => [String(key), 'in'] as const) : [];
  const chosen = isObject(topics) ? Object.entries(topics).map(chosenIn) : confirmed;
  const changed = preferenceNames.filter((name) => Object.hasOwn(others, name));
  return {
    ...(chosen.length === 0 ? {} : { choices: Object.fromEntries(chosen) }),
    ...(changed.length === 0 ? {} : { changed }),
    ...present({ source: textOf(source) }),
  };
}

const preferenceNames = ['channels', 'language', 'timezone'] as const;

function chosenIn([key, change]: readonly [string, unknown]): readonly [string, string | null] {
  return [key, (isObject(change) ? textOf(change['to']) : undefined) ?? null];
}

/** Only then is `meta` written by the service, not by a caller. */
function isService(kind: StoryKind): boolean {
  return kind === 'receipt' || kind === 'opt_out' || kind === 'journey';
}

function metaOf(
  { meta, channel, campaignId, journeyId }: PersonEvent,
  code: StoryCode,
  readMs: Millis,
): Partial<StoryEntry> {
  const fields = (isObject(meta) ? meta : {}) as Record<string, unknown>;
  const { reason, detail, attempts, providerMessageId, source, until, test, reported } = fields;
  const { relay, relayName } = fields;
  const isMarketing = campaignId !== null || journeyId !== null;
  const ended = code === 'suppressed' || code === 'deferred' ? textOf(reason) : undefined;
  const calls = typeof attempts === 'number' ? attempts : 0;
  const isReported = code === 'delivered' && reported === true;
  const checks = checksFor();
  const untilMs = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return {
    ...present({
      reason: textOf(reason),
      detail: textOf(detail),
      providerMessageId: textOf(providerMessageId),
      source: textOf(source),
      relay: textOf(relay),
      relayName: textOf(relayName),
    }),
    ...(calls > 0 ? { attempt: calls } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    ...(untilMs > readMs ? { next: { code: 'recheck', atMs: untilMs } as const } : {}),
    ...(test === true ? { test } : {}),
    ...(isReported ? { code: 'delivered_later' } : {}),
  };

  function checksFor() {
    // Not for a late bounce: its delivery has the checks.
    if (isReported) return [];
    const isAsked = ['sent', 'delivered', 'failed', 'suppressed', 'deferred', 'bounced'].includes(
      code,
    );
    if (!isAsked) return [];
    const of = { isMarketing, channel: channel ?? undefined, attempts: calls, endedBy: ended };
    return checksOf(of);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function present<T extends Readonly<Record<string, string | null | undefined>>>(members: T) {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as { readonly [K in keyof T]?: string };
}
