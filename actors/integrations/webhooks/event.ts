// An event as destinations get it: what happened, to whom, by which message. Its payload is made
// from this alone, so that every attempt sends the same bytes.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { CampaignStats } from '../../programs/campaigns/protocol.ts';

/** The specification's in its order, then our own; stored by place: append only. */
export const webhookKinds = [
  'campaign.completed',
  'campaign.failed',
  'delivery.degraded',
  'campaign.chunk_processed',
  'message.delivered',
  'message.bounced',
  'message.suppressed',
  'message.deferred',
  'message.failed',
  'message.opened',
  'message.clicked',
  'message.dismissed',
  'subscriber.unsubscribed',
  'webhook.test',
  'integration.disabled',
  'message.complained',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

type MessageKind = Extract<WebhookKind, `message.${string}`>;

/** Absent ids are `null`, as in the payload. */
interface EventIds {
  readonly subscriberId: string | null;
  readonly externalUserId: string | null;
  readonly campaignId: string | null;
  readonly journeyId: string | null;
  readonly messageId: string | null;
  readonly sendId: string | null;
  readonly deviceId: string | null;
  readonly channel: ChannelId | null;
  readonly atMs: Millis;
  /** Never falls within an app. The event's number in the stream, if it is there. */
  readonly seq: number;
}

/** Of an event that is about nobody and nothing; its members are those of a payload, in order. */
export const noIds = {
  subscriberId: null,
  externalUserId: null,
  campaignId: null,
  journeyId: null,
  messageId: null,
  sendId: null,
  deviceId: null,
  channel: null,
} as const satisfies Omit<EventIds, 'atMs' | 'seq'>;

/** `meta` by kind. Instants are milliseconds (`…Ms`) or, in a message's, as the stream has them. */
export type WebhookEvent = EventIds &
  (
    | {
        readonly kind: MessageKind;
        /** As in the event stream: `reason`, `attempts`, `providerMessageId`, `until` … */
        readonly meta: Readonly<Record<string, unknown>>;
      }
    | {
        readonly kind: 'campaign.completed';
        readonly meta: CampaignStats & {
          /** All figures are its own; `null`: of all. Absent in events of earlier builds. */
          readonly occurrence?: number | null;
        };
      }
    | {
        readonly kind: 'campaign.failed';
        readonly meta: { readonly name: string; readonly reason: string };
      }
    | {
        readonly kind: 'campaign.chunk_processed';
        readonly meta: {
          readonly processed: number;
          readonly total: number;
          readonly last?: boolean;
          /** With `last`: the occurrence that ended. Absent in events of earlier builds. */
          readonly occurrence?: number;
        };
      }
    | {
        readonly kind: 'delivery.degraded';
        readonly meta: {
          readonly channel: ChannelId;
          readonly attempts: number;
          readonly failed: number;
          readonly sinceMs: Millis;
          /** Failed attempts by reason. */
          readonly reasons: Readonly<Record<string, number>>;
          /** The campaign that has paused itself because of it. */
          readonly paused?: {
            readonly name: string;
            readonly reason: string;
            readonly text: string;
          };
        };
      }
    | {
        readonly kind: 'subscriber.unsubscribed';
        readonly meta: {
          readonly source: string;
          /** `email`, `phone`, or the channel whose addresses it is about. */
          readonly identityClass: string;
          readonly reason?: string;
          readonly scope?: string;
        };
      }
    | { readonly kind: 'webhook.test'; readonly meta: Readonly<Record<string, never>> }
    | {
        readonly kind: 'integration.disabled';
        readonly meta: {
          /** Its type. */
          readonly integration: string;
          readonly reason: 'no_success';
          /** Deliveries that ended without a success since `failingSince`, a date-time. */
          readonly lost: number;
          readonly failingSince: string;
        };
      }
  );
