// Orgs, keys, apps and their settings in memory: small, and read on every call.

import type { Ages } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId, CredentialName } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';

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
  /** Of a client workspace. */
  readonly parentOrdinal?: Ordinal;
  /** Sends per UTC day over all apps; `null` is unlimited. */
  readonly dailySendCap: number | null;
  readonly rateLimits: RateLimits;
  /** Delivered emails per month before billing; `null` lifts it. */
  readonly emailAllowance: number | null;
  /** Sender domains that the operator vouches for; absent for none. */
  readonly emailDomains?: readonly string[];
  /** Bytes of events and people's records; absent or `null` is unlimited. */
  readonly storageQuotaBytes?: number | null;
  readonly createdMs: Millis;
  /** Set when its parent deleted it: only its usage is left. */
  readonly closedMs?: Millis;
}

/** Of a client workspace, the agency that made it. */
export function agencyOf({ parentOrdinal }: OrgRecord): { readonly agency?: Ordinal } {
  return parentOrdinal === undefined ? {} : { agency: parentOrdinal };
}

/**
 * How an org presents itself to those who get its messages. A client workspace inherits each member
 * from its parent until it sets its own; what nobody set is the service's.
 */
export interface Branding {
  readonly productName: string;
  readonly logoUrl: string | null;
  /** `#rrggbb`, lower case. */
  readonly accentColor: string | null;
  /** Whether pages and emails leave out the service's own name. */
  readonly hideServiceBranding: boolean;
}

/** The members that an org sets itself. */
export type OwnBranding = { readonly [K in keyof Branding]?: NonNullable<Branding[K]> };

/** `null` goes back to inheriting. */
export type BrandingPatch = { readonly [K in keyof Branding]?: NonNullable<Branding[K]> | null };

export interface OrgBranding {
  readonly own: OwnBranding;
  /** What the parent set, as it last told; empty for an org without a parent. */
  readonly parent: OwnBranding;
}

export const serviceName = 'Engage';

export const serviceBranding: Branding = {
  productName: serviceName,
  logoUrl: null,
  accentColor: null,
  hideServiceBranding: false,
};

export const noBranding: OrgBranding = { own: {}, parent: {} };

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

/** What of mailbox providers' answers pauses a campaign. */
export interface CampaignGuard {
  /** Above this share of bounces; `null`: bounces never pause. */
  readonly bounceShare?: number | null;
  readonly bouncesAfterCalls?: number;
  /** Above this share of spam reports; `null`: they never pause. */
  readonly complaintShare?: number | null;
  readonly complaintsAfterDeliveries?: number;
  /** So many emails refused because of the sender; `null`: they never pause. */
  readonly senderRefusalsInARow?: number | null;
}

export interface QuietHours {
  /** `HH:mm`, local. */
  readonly start: string;
  readonly end: string;
  /** `subscriber`, or an IANA zone. */
  readonly timezone: string;
  readonly channels?: readonly ChannelId[];
}

interface EmailSender {
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly replyTo?: string;
  readonly unsubscribeText?: string;
}

/** How far a sender domain is proven. A lookup without an answer changes nothing. */
export type EmailDomainState = 'pending' | 'verified' | 'failed';

/** What a lookup found of one DNS record. */
export interface RecordCheck {
  readonly status: 'found' | 'missing' | 'wrong' | 'unanswered';
  /** The texts at the name, within bounds. */
  readonly found: readonly string[];
  /** Absent if found: what is wrong, as a sentence. */
  readonly problem?: string;
}

/** What the last lookup found of the domain's DNS records. */
export interface EmailDomainCheck {
  readonly atMs: Millis;
  readonly dkim: RecordCheck;
  readonly dmarc: RecordCheck;
  /** Of the name of links; absent where the server has no such names. */
  readonly links?: RecordCheck;
}

/**
 * A domain that an app wants to send from. The key is this app's alone, so its record in the DNS
 * proves that this app's tenant controls the domain.
 */
export interface EmailDomainRecord {
  /** In lower case and punycode. */
  readonly domain: string;
  /** Fresh for each key, so that two apps may prove one domain. */
  readonly selector: string;
  /** In base64, as the DNS has it. */
  readonly publicKey: string;
  /** The private key as PEM, sealed. */
  readonly sealed: Uint8Array;
  readonly state: EmailDomainState;
  readonly createdMs: Millis;
  /** Absent until then. */
  readonly verifiedMs?: Millis;
  readonly check?: EmailDomainCheck;
}

/** An app's own keywords, as written; they add to the table of all languages. */
export interface OwnKeywords {
  readonly stop?: readonly string[];
  readonly start?: readonly string[];
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

/** What the unsubscribe link of a marketing mail ends: all messages, or marketing alone. */
export const optOutScopes = ['all', 'marketing'] as const;
export type OptOutScope = (typeof optOutScopes)[number];

/** When an address rests, after soft bounces in a row. */
export interface SoftBounceRule {
  /** How many in a row. */
  readonly inARow: number;
  /** From the first to the last of them, at least. */
  readonly overDays: number;
  /** For how long nothing but transactional mail is sent then. */
  readonly restDays: number;
}

/** Each is Liquid; absent members add nothing. */
export type UtmSetting = {
  readonly [Member in 'source' | 'medium' | 'campaign' | 'term' | 'content']?: string;
};

/** As `TextPrices` of `channels/sms/text-prices.ts`. */
interface TextPriceTable {
  readonly currency: string;
  readonly perSegment?: number | undefined;
  readonly byCountry?: Readonly<Record<string, number>> | undefined;
}

export interface AppSettings {
  readonly caps: readonly FrequencyCap[];
  readonly quietHours: QuietHours | null;
  readonly webhookUrl: string | null;
  /** Sealed; write only. */
  readonly secret: Uint8Array | null;
  readonly email: EmailSender;
  /** `null` for the platform's default. */
  readonly eventsRetentionDays: number | null;
  /** Older events were hidden when the retention last changed: they stay so, and are deleted. */
  readonly goneBeforeMs?: Millis;
  readonly emailTracking: boolean;
  /** Absent: by default. */
  readonly softBounces?: SoftBounceRule | null;
  /** `null` for the default of each lane. */
  readonly unsubscribe: 'none' | 'footer' | 'header' | 'both' | null;
  readonly unsubscribeScope: OptOutScope;
  /** Absent before the first was set. */
  readonly keywords?: OwnKeywords | null;
  /** By language or `default`; what an attempt takes along. */
  readonly wording?: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>> | null;
  /** New people without an API key; absent or `null` for the platform's default. */
  readonly keylessPeoplePerMinute?: number | null;
  /** Days without activity after which anonymous people go; `null`: never. Absent until set. */
  readonly anonymousExpiryDays?: number | null;
  /** `null`: `first-use` without an identity secret, `required` with one. */
  readonly identityVerification: IdentityVerification | null;
  /** Absent until set. */
  readonly keylessEvents?: KeylessEvents;
  /** Tags that make a person's name, in this order. Absent until set, `null`: the usual ones. */
  readonly displayName?: readonly string[] | null;
  /** `null`: campaigns never pause themselves. Absent until set: the defaults. */
  readonly campaignGuard?: CampaignGuard | null;
  /** How long the dashboard lets an author take back a send; 0: not at all. Absent until set. */
  readonly undoSendSeconds?: number | null;
  /** Phone numbers without a country code are of it: ISO 3166, two letters. Absent until set. */
  readonly defaultCountry?: string | null;
  /** Whether a sign-up without topics needs the confirmation of its address. Absent: it does. */
  readonly doubleOptIn?: boolean;
  /** Absent: disposable addresses are taken like any other. */
  readonly refuseDisposableAddresses?: boolean;
  /** What texts of the app's own carrier account cost; `null`: unknown. Absent until set. */
  readonly textPrices?: TextPriceTable | null;
  /** Campaign parameters of links; `null`: none. Absent until set. */
  readonly utm?: UtmSetting | null;
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
  unsubscribe: null,
  unsubscribeScope: 'all',
};

/** Forged opens would decide experiments, so a live app counts those that are proven. */
export const defaultSettingsLive: AppSettings = {
  ...defaultSettings,
  keylessEvents: { ...defaultKeylessEvents, countEngagement: false },
};

/** Of an app whose `app.created`, by an older version, names no settings. */
export const settingsBefore: AppSettings = {
  ...defaultSettings,
  identityVerification: 'first-use',
};

type Retention = Pick<AppSettings, 'eventsRetentionDays' | 'goneBeforeMs'>;

/** Events and sends before this instant are hidden, and deleted within a day. */
export function keptFromMs(settings: Retention, ages: Ages, nowMs: Millis): Millis {
  const { goneBeforeMs = 0 } = settings;
  return Math.max(goneBeforeMs, ages.cutMs(nowMs, keptDaysOf(settings) * dayMs));
}

export function keptDaysOf({
  eventsRetentionDays,
}: Pick<AppSettings, 'eventsRetentionDays'>): number {
  return eventsRetentionDays ?? limits.eventsRetentionDays;
}

/**
 * Why an event is too old, as a sentence's end: nothing from before `fromMs` is taken. After a
 * shorter retention that is what it deleted, until today's, `keptDays`, is the narrower bound.
 */
export function tooOld(fromMs: Millis, keptDays: number, nowMs: Millis): string {
  const endsMs = fromMs + keptDays * dayMs;
  if (endsMs <= nowMs)
    return `expected at most ${Math.floor((nowMs - fromMs) / dayMs)} days in the past`;
  const [from, ends] = [fromMs, endsMs].map((ms) => new Date(ms).toISOString());
  return (
    `expected ${from} or later, because a shorter retention (eventsRetentionDays) deleted older ` +
    `events permanently. From ${ends} on, expected at most ${keptDays} days in the past`
  );
}

export interface MailSettings extends EmailSender {
  readonly isTracked: boolean;
  /** Whether footers name the service. */
  readonly namesService?: true;
  readonly unsubscribe?: NonNullable<AppSettings['unsubscribe']>;
}

/** What an app says about each email. */
export function mailSettings(
  { email, emailTracking, unsubscribe }: AppSettings,
  { hideServiceBranding }: Pick<Branding, 'hideServiceBranding'>,
): MailSettings {
  return {
    ...email,
    isTracked: emailTracking,
    ...(hideServiceBranding ? {} : { namesService: true }),
    ...(unsubscribe === null ? {} : { unsubscribe }),
  };
}

/** Settings of an earlier build, with the defaults of those that it did not have. */
export function wholeSettings(settings: AppSettings): AppSettings {
  return { ...defaultSettings, ...settings };
}

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
