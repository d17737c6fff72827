// The port every channel fills: one attempt in, one outcome out. Adapters are the only code that talks to providers.
// An adapter never throws for what a provider did; it throws only for its own bugs.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ChannelId, WebPushSubscription } from './catalog.ts';
import type { LiveActivityContent } from './live-activity.ts';

export type { WebPushSubscription };

/** Delivery options after rendering; each adapter maps what its provider knows and ignores the rest. */
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
  /** Where `deviceId` is a Live Activity's: its token as it is now, and how many there were before. */
  readonly activity?: { readonly pushToken: string; readonly rotations: number };
}

/** Where a provider says that a device is now; what is left out has not changed. */
export interface Moved {
  /** The endpoint of the attempt: one that the device has given up since moves no more. */
  readonly from: Attempt['endpoint'];
  /** As the provider writes it. */
  readonly endpoint?: string;
  readonly environment?: 'production' | 'sandbox';
}

/** What came of an attempt; the classes and what each does to device and job are in the catalogue of outcomes below. */
export type Outcome =
  /** The provider took it. */
  | {
      readonly outcome: 'accepted';
      readonly providerMessageId?: string;
      /** It took a second call to find the device: the next attempt goes there at once. */
      readonly moved?: Moved;
    }
  | {
      readonly outcome: /** The endpoint will never work again: the device is disabled, the receipt is `bounced`. */
        | 'dead'
        /** The recipient opted out at the provider: suppressed, no retry. */
        | 'opted_out'
        /** This message is wrong for this provider: `bounced`, the device stays. */
        | 'permanent'
        /** The tenant's account or credential is at fault: no device is touched, a circuit opens. */
        | 'config'
        /** Throttled: wait, without burning an attempt, and slow the whole account. */
        | 'rate'
        /** Transient: back off and burn an attempt. */
        | 'retry'
        /** Bytes went out and no answer came: the provider may have sent it. */
        | 'ambiguous';
      /** A stable snake_case word for receipts and insights (`unregistered`, `timeout`, `mailbox_not_found`). */
      readonly reason: string;
      /** The provider's own words, at most 500 characters, free of secrets and addresses. */
      readonly detail?: string;
      /** What the provider asked for, clamped to 1 s … 15 min; longer where it takes nothing until a time of day. */
      readonly retryAfterMs?: Millis;
      readonly providerMessageId?: string;
    };

/** One channel's way to its provider. One instance serves all tenants of a dispatch thread. */
export interface Adapter {
  /**
   * Makes one call to the provider. `credentials` is the tenant's, already opened and of the shape its schema in
   * the catalogue describes; `undefined` where the channel is the platform's (email).
   */
  send(attempt: Attempt, credentials: unknown): Promise<Outcome>;
  /** Lets calls in flight end (at most ten seconds) and closes connections. */
  close(): Promise<void>;
}
