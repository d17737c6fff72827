// One rendered attempt to reach one device, as plain data: the input of adapters and previews.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { WebPushSubscription } from '../addresses/endpoint.ts';
import type { ChannelId } from '../channel-ids.ts';
import type { LiveActivityContent } from './live-activity.ts';

/** Rendered delivery options; each adapter uses those that its provider has. */
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

/** Where an email offers to unsubscribe. */
export const unsubscribeWays = ['none', 'footer', 'header', 'both'] as const;
export type UnsubscribeWays = (typeof unsubscribeWays)[number];

/** A file of an email; `Attempt.files` has its bytes. */
export interface AttachedFile {
  readonly filename: string;
  /** `type/subtype`, without parameters. */
  readonly contentType: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, base64url. */
  readonly hash: string;
  /** It stands within the HTML, which names it `cid:<cid>`. */
  readonly cid?: string;
}

/** What an email has besides its text, as its sender gave it: nothing of it is rendered. */
export interface MailParts {
  readonly attachments?: readonly AttachedFile[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  /** Instead of the app's. */
  readonly replyTo?: string;
  /** Their names begin with `X-`. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export interface RenderedContent {
  readonly title?: string;
  /** Plain text; for email, HTML. */
  readonly body: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
  /** Custom data for the device; every value is a string. */
  readonly data?: Readonly<Record<string, string>>;
  /** Rendered provider-specific fields (`whatsapp`, `kakao`, `voice`, `zalo`). */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly options: DeliveryOptions;
  /** Of an email: where it offers to unsubscribe, if the message says so. */
  readonly unsubscribe?: UnsubscribeWays;
  /** Of a transactional send or a test: its links get campaign parameters when it is sent. */
  readonly utm?: true;
  /** Of the localization that it is; `null`: none is in the person's. Absent without any. */
  readonly language?: string | null;
  /** Of an email; other channels ignore it. */
  readonly mail?: MailParts;
  /** An update of a Live Activity; no other content is sent with it. */
  readonly liveActivity?: LiveActivityContent;
}

/** A member of the content that a channel cannot carry: `buttons[1]`, and why. */
export interface Dropped {
  readonly field: string;
  readonly why: string;
}

/** An app's own words, by language or `default`, for those that Engage adds to a message. */
export type OwnWording = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

export interface EmailEnvelope {
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly replyTo?: string;
  /** For one-click unsubscribe (RFC 8058), and for the footer with `unsubscribeText`. */
  readonly unsubscribeUrl: string;
  readonly unsubscribeText?: string;
  /** To the person's preferences, in the footer of marketing. */
  readonly preferencesUrl?: string;
  /** The app's setting, for messages that say nothing. */
  readonly unsubscribe?: UnsubscribeWays;
  /** A test of a marketing message, on the express lane. */
  readonly isTest?: true;
  /** Replaces the signed return path as envelope sender; for tests. */
  readonly returnPath?: string;
  /** Part of the mail's signed addresses and links. Absent in previews. */
  readonly person?: PersonOrdinal;
  readonly journeyId?: string;
  readonly campaignId?: string;
  /** The key of the message's topic. */
  readonly topic?: string;
  readonly isTracked?: boolean;
  /** In place of the server's name in links of ours. */
  readonly linkHost?: string;
  /** The footer names the service. */
  readonly namesService?: true;
}

export interface Attempt {
  /** Our send id (`ntf_…`); part of everything that a provider echoes. */
  readonly sendId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  readonly channel: ChannelId;
  readonly lane: 'express' | 'bulk';
  /** Of a journey's step that says so; else the lane decides. */
  readonly stream?: 'transactional' | 'marketing';
  /** 1 for the first call. */
  readonly attempt: number;
  /** An earlier call had no answer: the provider may have taken the message. */
  readonly mayBeTaken?: true;
  /** The address, token or id as stored; a subscription object for `webpush`. */
  readonly endpoint: string | WebPushSubscription;
  /** When the endpoint was registered: some providers say since when a token is dead. */
  readonly registeredMs: Millis;
  readonly environment?: 'production' | 'sandbox';
  readonly content: RenderedContent;
  /** The person's, in `languageKey`'s form. Absent on channels that show no words of ours. */
  readonly language?: string;
  readonly wording?: OwnWording;
  /** When we accepted the send; `ttlSeconds` counts from here. */
  readonly acceptedMs: Millis;
  readonly email?: EmailEnvelope;
  /** The bytes of `content.mail.attachments`, by their hash; shared between threads. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** If `deviceId` is a Live Activity: its current token, and the number of earlier ones. */
  readonly activity?: { readonly pushToken: string; readonly rotations: number };
}

/** The address, token or id; empty for a subscription object (`webpush`). */
export function endpointText({ endpoint }: Pick<Attempt, 'endpoint'>): string {
  return typeof endpoint === 'string' ? endpoint : '';
}
