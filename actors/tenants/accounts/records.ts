// Orgs, keys, apps and their settings in memory: small, and read on every call.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId, CredentialName } from '../../channels/channel-ids.ts';

export type Scope = 'read' | 'write' | 'send' | 'admin';
export const scopes = ['read', 'write', 'send', 'admin'] as const satisfies readonly Scope[];

/** Requests per minute in each lane; `null` is unlimited. */
export interface RateLimits {
  readonly transactional: number | null;
  readonly standard: number | null;
}

export interface OrgRecord {
  readonly id: string;
  readonly ordinal: Ordinal;
  readonly name: string;
  readonly parentOrgId: string | null;
  /** Sends per UTC day over all apps; `null` is unlimited. */
  readonly dailySendCap: number | null;
  readonly rateLimits: RateLimits;
  /** Delivered emails per month before billing; `null` lifts it. */
  readonly emailAllowance: number | null;
  readonly createdMs: Millis;
}

export interface KeyRecord {
  readonly id: string;
  /** The twelve characters after `ek_`, which contain the org's slot. */
  readonly keyId: string;
  /** SHA-256 of the secret part, which is stored nowhere. */
  readonly secretHash: Uint8Array;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly appId: string | null;
  readonly createdMs: Millis;
}

export interface FrequencyCap {
  readonly channel?: ChannelId;
  readonly max: number;
  readonly perHours: number;
}

export interface QuietHours {
  /** `HH:mm`, local. */
  readonly start: string;
  readonly end: string;
  /** `subscriber`, or an IANA zone. */
  readonly timezone: string;
  readonly channels?: readonly ChannelId[];
}

export interface EmailSender {
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly replyTo?: string;
  readonly unsubscribeText?: string;
}

export type IdentityVerification = 'required' | 'first-use' | 'open';

/** What calls without a key may do without proof: without a login with an `identityHash`. */
export interface KeylessEvents {
  /** Whether their events start journeys. */
  readonly startJourneys: boolean;
  /** Whether their opens, clicks and goal events count for campaigns. */
  readonly countEngagement: boolean;
  /** Whether they register addresses of channels that bill per message. `null`: in the sandbox. */
  readonly registerPaidChannels: boolean | null;
}

export const defaultKeylessEvents: KeylessEvents = {
  startJourneys: true,
  countEngagement: true,
  registerPaidChannels: null,
};

export interface AppSettings {
  readonly caps: readonly FrequencyCap[];
  readonly quietHours: QuietHours | null;
  readonly webhookUrl: string | null;
  /** Sealed; write only. */
  readonly secret: Uint8Array | null;
  readonly email: EmailSender;
  /** `null` for the platform's default. */
  readonly eventsRetentionDays: number | null;
  readonly emailTracking: boolean;
  /** `null`: `first-use` without an identity secret, `required` with one. */
  readonly identityVerification: IdentityVerification | null;
  /** Absent until set. */
  readonly keylessEvents?: KeylessEvents;
}

/** Of a new app. */
export const defaultSettings: AppSettings = {
  caps: [],
  quietHours: null,
  webhookUrl: null,
  secret: null,
  email: {},
  eventsRetentionDays: null,
  emailTracking: true,
  identityVerification: null,
};

/** Of an app whose `app.created`, by an older version, names no settings. */
export const settingsBefore: AppSettings = {
  ...defaultSettings,
  identityVerification: 'first-use',
};

export interface AppRecord {
  readonly id: string;
  readonly ordinal: Ordinal;
  readonly org: Ordinal;
  readonly name: string;
  readonly timezone: string;
  readonly createdMs: Millis;
}

/** Sealed. Equal uploads have equal fingerprints. */
export interface CredentialRecord {
  readonly channel: CredentialName;
  readonly sealed: Uint8Array;
  readonly fingerprint: string;
  /** True for web push keys made with the app and not uploaded. */
  readonly generated: boolean;
  readonly updatedMs: Millis;
  /** How often its provider replaced a part since the upload; absent for never. */
  readonly rotations?: number;
}
