// The body of a delivery: one JSON object with the same members for every kind; what an event does
// not have is `null`. The bytes depend on nothing but the event and the delivery's id, so they are
// the same at every attempt. Instants are texts here, because this is what receivers read. Pure.

import type { Millis } from '../../../engine/base/brand.ts';
import type { CampaignStats, Progress, Waiting } from '../../programs/campaigns/protocol.ts';
import type { WebhookEvent } from './event.ts';
import { eventOf, type StoredEvent } from './event-chunk.ts';

export function webhookPayload(event: WebhookEvent, deliveryId: string): Buffer {
  return payload(event, JSON.stringify(metaOf(event)), deliveryId);
}

/** The same of an event as it is stored; most kinds show their `meta` as it is, in those bytes. */
export function storedPayload(event: StoredEvent, deliveryId: string): Buffer {
  return event.kind === 'campaign.completed' || event.kind === 'delivery.degraded'
    ? webhookPayload(eventOf(event), deliveryId)
    : payload(event, event.metaJson, deliveryId);
}

function payload(event: Omit<WebhookEvent, 'meta'>, metaJson: string, deliveryId: string): Buffer {
  const withoutMeta = JSON.stringify({
    id: deliveryId,
    type: event.kind,
    subscriberId: event.subscriberId,
    externalUserId: event.externalUserId,
    campaignId: event.campaignId,
    journeyId: event.journeyId,
    messageId: event.messageId,
    sendId: event.sendId,
    deviceId: event.deviceId,
    channel: event.channel,
    at: instantText(event.atMs),
    seq: event.seq,
  });
  return Buffer.from(`${withoutMeta.slice(0, -1)},"meta":${metaJson}}`, 'utf8');
}

/** `meta` as receivers see it. */
function metaOf(event: WebhookEvent): object {
  switch (event.kind) {
    case 'campaign.completed':
      return statsView(event.meta);
    case 'delivery.degraded': {
      const { sinceMs, ...meta } = event.meta;
      return { ...meta, since: instantText(sinceMs) };
    }
    default:
      return event.meta;
  }
}

/** As `GET …/campaigns/:id/stats` shows it. */
function statsView({ stateReason, occurrences, progress, ...stats }: CampaignStats): object {
  return {
    ...stats,
    stateReason: stateReason ?? null,
    occurrences: occurrences.map(({ startedMs, endedMs, ...one }) => ({
      ...one,
      startedAt: instantText(startedMs),
      endedAt: endedMs === null ? null : instantText(endedMs),
    })),
    progress: progress === null ? null : progressView(progress),
  };
}

function progressView({ expectedEndMs, waitingFor, ...progress }: Progress): object {
  return {
    ...progress,
    expectedEnd: expectedEndMs === null ? null : instantText(expectedEndMs),
    waitingFor: waitingFor === null ? null : waitingView(waitingFor),
  };
}

function waitingView({ untilMs, sinceMs, people, ...waiting }: Waiting): object {
  const until = untilMs === undefined ? null : instantText(untilMs);
  const since = sinceMs === undefined ? null : instantText(sinceMs);
  return { ...waiting, people: people ?? null, until, since };
}

/** Events of a chunk often have one instant. */
let newest: { readonly ms: Millis; readonly text: string } | undefined;

function instantText(ms: Millis): string {
  if (newest?.ms !== ms) newest = { ms, text: new Date(ms).toISOString() };
  return newest.text;
}
