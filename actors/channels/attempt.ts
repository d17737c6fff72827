// One attempt to reach one device, as plain data: what adapters and previews are given. Nothing of
// it is left to render.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ChannelId } from './channel-ids.ts';
import type { WebPushSubscription } from './endpoint.ts';
import type { LiveActivityContent } from './live-activity.ts';

/**
 * Delivery options after rendering; each adapter maps what its provider knows and ignores the rest.
 */
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

/** The final text of a message for one person: nothing is left to render. */
export interface RenderedContent {
  readonly title?: string;
  /** Plain text; for email, HTML. */
  readonly body: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
  /** Custom data for the device; every value is a string. */
  readonly data?: Readonly<Record<string, string>>;
  /** Provider-specific members (`whatsapp`, `kakao`), already rendered. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly options: DeliveryOptions;
  /** An update of a Live Activity; nothing else of the content is sent then. */
  readonly liveActivity?: LiveActivityContent;
}

/** What an email needs beside its content. */
export interface EmailEnvelope {
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly replyTo?: string;
  /** Opted out of by one click (RFC 8058); also shown in the footer with `unsubscribeText`. */
  readonly unsubscribeUrl: string;
  readonly unsubscribeText?: string;
  /** Where bounces go (the envelope sender), in place of the signed return path; for tests. */
  readonly returnPath?: string;
  /** Whose mail it is: signed into what comes back of it. Absent in previews. */
  readonly person?: PersonOrdinal;
  /** The journey that sent it. */
  readonly journeyId?: string;
  /** Whether opens and clicks are looked for. */
  readonly isTracked?: boolean;
}

/** One attempt to reach one device. */
export interface Attempt {
  /** Our send id (`ntf_…`); goes into everything a provider echoes. */
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
  /** When this endpoint was registered, for providers that tell how old a dead token is. */
  readonly registeredMs: Millis;
  readonly environment?: 'production' | 'sandbox';
  readonly content: RenderedContent;
  /** When the send was accepted; `ttlSeconds` counts from here. */
  readonly acceptedMs: Millis;
  readonly email?: EmailEnvelope;
  /**
   * Where `deviceId` is a Live Activity's: its token as it is now, and how many there were before.
   */
  readonly activity?: { readonly pushToken: string; readonly rotations: number };
}

/** The address, token or id; empty for a subscription object, which only `webpush` has. */
export function endpointText({ endpoint }: Pick<Attempt, 'endpoint'>): string {
  return typeof endpoint === 'string' ? endpoint : '';
}
