// What a stored event tells in a person's story. Receipts of every lane are events, so this is
// where campaigns and journeys come in, at no cost beyond what they store anyway. Pure. What a
// reader would get wrong: `atMs` is when Engage came to know, by which the story is in order; a
// client may say that something was earlier.

import type { Millis } from '../../../engine/base/brand.ts';
import type { EventView } from '../../events/protocol.ts';
import { checksOf } from './checks.ts';
import type { StoryCode, StoryKind } from './codes.ts';
import type { StoryEntry } from './protocol.ts';

/** The event as it is found, without its person. */
export type ToldEvent = Omit<EventView, 'subscriberId' | 'externalUserId'>;

/** What every name that the service or a beacon records is told as; any other was tracked. */
const told: Readonly<Record<string, readonly [StoryKind, StoryCode]>> = {
  sent: ['receipt', 'sent'],
  delivered: ['receipt', 'delivered'],
  bounced: ['receipt', 'bounced'],
  failed: ['receipt', 'failed'],
  suppressed: ['receipt', 'suppressed'],
  deferred: ['receipt', 'deferred'],
  unsubscribed: ['opt_out', 'unsubscribed'],
  opened: ['receipt', 'opened'],
  clicked: ['receipt', 'clicked'],
  dismissed: ['receipt', 'dismissed'],
  session: ['event', 'session'],
  inapp_viewed: ['event', 'inapp_viewed'],
  inapp_clicked: ['event', 'inapp_clicked'],
  inapp_dismissed: ['event', 'inapp_dismissed'],
  inbox_read: ['event', 'inbox_read'],
  journey_enrolled: ['journey', 'journey_enrolled'],
  journey_converted: ['journey', 'journey_converted'],
  journey_completed: ['journey', 'journey_completed'],
};

/** `readMs`: when it is read; what was to come by then is told no more. */
export function storyOfEvent(event: ToldEvent, readMs: Millis): StoryEntry {
  const [kind, code] = Object.hasOwn(told, event.name)
    ? (told[event.name] as readonly [StoryKind, StoryCode])
    : (['event', 'tracked'] as const);
  const { channel, deviceId, sendId, campaignId, journeyId, messageId, id: eventId } = event;
  const base = {
    kind,
    code,
    atMs: event.receivedMs,
    eventId,
    ...(code === 'tracked' ? { name: event.name } : {}),
    ...present({ channel, deviceId, sendId, campaignId, journeyId, messageId }),
  };
  return isService(kind) ? { ...base, ...metaOf(event, code, readMs) } : base;
}

/** Meta is the service's own on these, and a stranger's text on any other. */
function isService(kind: StoryKind): boolean {
  return kind === 'receipt' || kind === 'opt_out' || kind === 'journey';
}

function metaOf(
  { meta, channel, campaignId, journeyId }: ToldEvent,
  code: StoryCode,
  readMs: Millis,
): Partial<StoryEntry> {
  const told = (typeof meta === 'object' && meta !== null ? meta : {}) as Record<string, unknown>;
  const { reason, detail, attempts, providerMessageId, source, until, test } = told;
  const isMarketing = campaignId !== null || journeyId !== null;
  const ended = code === 'suppressed' || code === 'deferred' ? textOf(reason) : undefined;
  const calls = typeof attempts === 'number' ? attempts : 0;
  const checks = checksFor();
  const untilMs = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return {
    ...present({
      reason: textOf(reason),
      detail: textOf(detail),
      providerMessageId: textOf(providerMessageId),
      source: textOf(source),
    }),
    ...(calls > 0 ? { attempt: calls } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    ...(untilMs > readMs ? { next: { code: 'recheck', atMs: untilMs } as const } : {}),
    ...(test === true ? { test } : {}),
  };

  function checksFor() {
    // A late bounce is a provider's second word: the checks were told with its first.
    const isAsked = ['delivered', 'failed', 'suppressed', 'deferred', 'bounced'].includes(code);
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
