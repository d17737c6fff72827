// The body of a delivery: one JSON object with the same members for every kind; what an event does
// not have is `null`. The bytes depend on nothing but the event and the delivery's id, so they are
// the same at every attempt. Instants are texts here, because this is what receivers read. Pure.

import type { Millis } from '../../../engine/base/brand.ts';
import type { CampaignStats, Progress, Waiting } from '../../programs/campaigns/protocol.ts';
import type { WebhookEvent } from './event.ts';

export function webhookPayload(event: WebhookEvent, deliveryId: string): Buffer {
  const json = JSON.stringify({
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
    meta: metaOf(event),
  });
  return Buffer.from(json, 'utf8');
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

function waitingView({ untilMs, people, ...waiting }: Waiting): object {
  const until = untilMs === undefined ? null : instantText(untilMs);
  return { ...waiting, people: people ?? null, until };
}

function instantText(ms: Millis): string {
  return new Date(ms).toISOString();
}
