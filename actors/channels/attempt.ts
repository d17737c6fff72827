// One attempt to reach one device, as plain data: the input of adapters and previews. Everything in
// it is rendered.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ChannelId } from './channel-ids.ts';
import type { WebPushSubscription } from './endpoint.ts';
import type { LiveActivityContent } from './live-activity.ts';

/** Delivery options after rendering; each adapter uses those that its provider has. */
export interface DeliveryOptions {
  readonly badgeCount?: number;
  readonly sound?: string;
  readonly ttlSeconds?: number;
  readonly collapseKey?: string;
  readonly androidChannelId?: string;
  readonly priority?: 'normal' | 'high';
}

export interface Button {
  readonly id?: string;
  readonly label: string;
  readonly url?: string;
}

/** The final text of a message for one person. */
export interface RenderedContent {
  readonly title?: string;
  /** Plain text; for email, HTML. */
  readonly body: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
  /** Custom data for the device; every value is a string. */
  readonly data?: Readonly<Record<string, string>>;
  /** Provider-specific members (`whatsapp`, `kakao`), rendered. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly options: DeliveryOptions;
  /** An update of a Live Activity; no other content is sent with it. */
  readonly liveActivity?: LiveActivityContent;
}

/** What an email needs in addition to its content. */
export interface EmailEnvelope {
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly replyTo?: string;
  /** For one-click unsubscribe (RFC 8058); also in the footer with `unsubscribeText`. */
  readonly unsubscribeUrl: string;
  readonly unsubscribeText?: string;
  /** The envelope sender instead of the signed return path; for tests. */
  readonly returnPath?: string;
  /** Part of the signed addresses and links of the mail. Absent in previews. */
  readonly person?: PersonOrdinal;
  /** The journey that sent it. */
  readonly journeyId?: string;
  /** Whether opens and clicks are tracked. */
  readonly isTracked?: boolean;
}

/** One attempt to reach one device. */
export interface Attempt {
  /** Our send id (`ntf_…`); part of everything that a provider echoes. */
  readonly sendId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  readonly channel: ChannelId;
  readonly lane: 'express' | 'bulk';
  /** 1 for the first call. */
  readonly attempt: number;
  /** The address, token or id as stored; a subscription object for `webpush`. */
  readonly endpoint: string | WebPushSubscription;
  /** When the endpoint was registered, for providers that say since when a token is dead. */
  readonly registeredMs: Millis;
  readonly environment?: 'production' | 'sandbox';
  readonly content: RenderedContent;
  /** When the send was accepted; `ttlSeconds` counts from here. */
  readonly acceptedMs: Millis;
  readonly email?: EmailEnvelope;
  /** Where `deviceId` is a Live Activity's: its current token, and how many it had before. */
  readonly activity?: { readonly pushToken: string; readonly rotations: number };
}

/** The address, token or id; empty for a subscription object, which only `webpush` has. */
export function endpointText({ endpoint }: Pick<Attempt, 'endpoint'>): string {
  return typeof endpoint === 'string' ? endpoint : '';
}
