// Messages and entries of orgs, keys and apps. Key material comes from the edge in messages.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import type { Rotation } from '../../channels/port/rotation.ts';
import type {
  AppRecord,
  AppSettings,
  Branding,
  CredentialRecord,
  EmailDomainCheck,
  EmailDomainRecord,
  EmailDomainState,
  KeylessEvents,
  KeyRecord,
  OrgBranding,
  OrgRecord,
  RateLimits,
  Scope,
} from './records.ts';

/** A key as callers see it. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly appId: string | null;
  readonly createdMs: Millis;
}

/** Made by the edge; only the hash of its secret comes here. */
export interface KeyMaterial {
  readonly id: string;
  readonly keyId: string;
  readonly secretHash: Uint8Array;
}

/** What the front needs of a key to authenticate a call. */
export interface KeyGrant {
  readonly keyObjectId: string;
  /** The part of the key or session that finds it. Added by the front. */
  readonly keyId?: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly org: Ordinal;
  readonly orgId: string;
  /** The agency whose client the org is. */
  readonly agency?: Ordinal;
  /** Set for an app-scoped key. */
  readonly app: Ordinal | null;
  readonly appId: string | null;
  readonly rateLimits: RateLimits;
  /** Of a person in the dashboard; `keyObjectId` is then the member's id, or the key's. */
  readonly session?: SessionGrant;
}

/** Who shares a bound: an org, and the agency whose client it is. */
export type Tenant = Pick<KeyGrant, 'org' | 'agency'>;

/** One of `member` and `key`. */
export interface SessionGrant {
  readonly id: string;
  readonly keyId: string;
  readonly member?: { readonly id: string; readonly email: string; readonly role: string };
  readonly key?: { readonly id: string; readonly name: string };
  readonly signedInMs: Millis;
  readonly seenMs: Millis;
  readonly expiresMs: Millis;
}

export interface SettingsPatch
  extends Partial<Omit<AppSettings, 'secret' | 'email' | 'keylessEvents' | 'goneBeforeMs'>> {
  /** Plain text; sealed before it is written. */
  readonly secret?: string | null;
  /** Merged member by member; `null` removes one. */
  readonly email?: { readonly [K in keyof AppSettings['email']]: string | null };
  /** Merged member by member. */
  readonly keylessEvents?: Partial<KeylessEvents>;
}

export interface CredentialView {
  readonly channel: CredentialName;
  readonly fingerprint: string;
  readonly updatedMs: Millis;
}

/** A sender domain as its tenant sees it. */
export interface EmailDomainView extends Omit<EmailDomainRecord, 'sealed'> {
  /** The operator allows it without proof. */
  readonly vouched: boolean;
}

/** Made by the edge. */
interface MailKeyMaterial {
  readonly selector: string;
  readonly publicKey: string;
  /** PEM; sealed before it is written. */
  readonly privateKey: string;
}

/** What a resolver answered for the TXT records of one name. */
export type TxtAnswer =
  /** One text per record, its strings joined. */
  | { readonly answer: 'records'; readonly texts: readonly string[] }
  /** An authority says that there are none. */
  | { readonly answer: 'none' }
  /** Nothing is known: a time limit, a failing server. `reason` is the resolver's code. */
  | { readonly answer: 'failed'; readonly reason: string };

interface DailyTally {
  readonly used: number;
  readonly resetsMs: Millis;
}

/** `by`: the calling org, or −1 inside the system; checked before any area sees the message. */
export interface Caller {
  readonly by: Ordinal;
  /** The agency whose client `by` is: what they share is bounded for all of them together. */
  readonly agency?: Ordinal;
  /** The app id in the call; the edge has only decoded its ordinal. */
  readonly namedApp?: string;
  /** For the audit log: the id of a key, or `operator`. */
  readonly actor?: string;
}

/** The name of links of a verified sender domain, and whose it is. */
export interface LinkName {
  readonly app: Ordinal;
  readonly appId: string;
  readonly tenant: Tenant;
  readonly domain: string;
  readonly selector: string;
}

export interface AccountsProtocol {
  'org.create': {
    body: Caller & { orgId: string; name: string; parentOrgId: string | null; key: KeyMaterial };
    reply: { org: OrgRecord; key: KeyView };
  };
  /** For the retry of a creation: an org of this slot, and what is stored of its keys. */
  'org.created': {
    body: Caller & { orgId: string };
    reply: { org: OrgRecord; keys: readonly Pick<KeyRecord, 'id' | 'secretHash'>[] };
  };
  /** The ordinal of an org of this slot. */
  'org.locate': { body: Caller & { orgId: string }; reply: Ordinal };
  'org.read': { body: Caller; reply: OrgRecord };
  'org.rename': { body: Caller & { name?: string }; reply: OrgRecord };
  'org.set_limits': {
    body: Caller & {
      dailySendCap?: number | null;
      rateLimits?: Partial<RateLimits>;
      emailAllowance?: number | null;
      emailDomains?: readonly string[];
      storageQuotaBytes?: number | null;
    };
    reply: OrgRecord;
  };
  'org.tally': {
    body: Caller;
    reply: { org: OrgRecord; daily: DailyTally; eventsRetentionDays: number };
  };
  /** Whether this partition has an org. */
  'org.exists': { body: Caller; reply: boolean };
  'key.find': { body: Caller & { keyId: string }; reply: KeyGrant | null };
  'key.create': {
    body: Caller & {
      name: string;
      scopes: readonly Scope[];
      appId: string | null;
      key: KeyMaterial;
    };
    reply: KeyView;
  };
  'key.list': { body: Caller; reply: readonly KeyView[] };
  'key.delete': { body: Caller & { id: string }; reply: null };
  'app.create': {
    body: Caller & {
      name: string;
      timezone: string;
      /** A web push key pair for this app, made by the edge. */
      vapid: { publicKey: string; privateKey: string };
    };
    reply: AppRecord;
  };
  'app.list': { body: Caller; reply: readonly AppRecord[] };
  'app.read': {
    body: Caller;
    reply: AppRecord & { vapidPublicKey: string | null; branding: Branding };
  };
  'app.update': { body: Caller & { name?: string; timezone?: string }; reply: AppRecord };
  'app.delete': { body: Caller; reply: null };
  /** Removes a slice of a deleted app's documents; from a timer, unless it is an extra one. */
  'app.sweep': { body: Caller & { isExtra?: true }; reply: null };
  'settings.read': { body: Caller; reply: AppSettings };
  'settings.patch': { body: Caller & { patch: SettingsPatch }; reply: AppSettings };
  'credential.put': {
    body: Caller & { channel: CredentialName; credential: unknown; fingerprint: string };
    reply: CredentialView;
  };
  /** From a dispatcher, after a provider replaced a part of the granted credential. */
  'credential.rotate': {
    body: Caller & { channel: CredentialName } & Rotation;
    reply: 'kept' | 'superseded';
  };
  /** For a check of it; the value never leaves the process. */
  'credential.open': {
    body: Caller & { channel: CredentialName };
    reply: { readonly state: 'ready'; readonly value: unknown } | { readonly state: 'unreadable' };
  };
  'credential.list': { body: Caller; reply: readonly CredentialView[] };
  'credential.delete': { body: Caller & { channel: CredentialName }; reply: null };
  /** Refuses a domain that cannot be added, so that no key is made for it. */
  'email_domain.ask': { body: Caller & { domain: string }; reply: EmailDomainView | null };
  /** A domain that is there already stays as it is, with its key. */
  'email_domain.add': {
    body: Caller & { domain: string; key: MailKeyMaterial };
    reply: EmailDomainView;
  };
  'email_domain.list': { body: Caller; reply: readonly EmailDomainView[] };
  'email_domain.read': { body: Caller & { domain: string }; reply: EmailDomainView };
  /** What the DNS answered for the key with this selector, and for the domain's policy. */
  'email_domain.check': {
    body: Caller & {
      domain: string;
      selector: string;
      dkim: TxtAnswer;
      dmarc: TxtAnswer;
      /** Of the name of links, and the name of this server, where it should lead. */
      links?: { answer: TxtAnswer; host: string };
    };
    reply: EmailDomainView;
  };
  /** Names of links that were looked up once, of this partition's apps after the first `from`. */
  'email_domain.link_names': {
    body: Caller & { from: number };
    reply: { readonly names: readonly LinkName[]; readonly next: number | null };
  };
  /** What the DNS answered later for such a name alone. Says whether it was lost. */
  'email_domain.links': {
    body: Caller & { domain: string; selector: string; answer: TxtAnswer; host: string };
    reply: { readonly isLost: boolean };
  };
  'email_domain.delete': { body: Caller & { domain: string }; reply: null };
}

export type AccountsEntry =
  | (Entry & { readonly kind: 'org.created'; readonly org: OrgRecord })
  | (Entry & {
      readonly kind: 'org.changed';
      readonly org: OrgRecord;
      /** Absent in entries of older versions. */
      readonly atMs?: Millis;
    })
  | (Entry & { readonly kind: 'org.branded'; readonly branding: OrgBranding })
  | (Entry & { readonly kind: 'key.created'; readonly key: KeyRecord })
  | (Entry & { readonly kind: 'key.deleted'; readonly keyId: string })
  | (Entry & {
      readonly kind: 'app.created';
      readonly app: AppRecord;
      readonly vapidPublicKey: string;
      /** Absent in entries of older versions: `settingsBefore`. */
      readonly settings?: AppSettings;
    })
  | (Entry & { readonly kind: 'app.changed'; readonly app: AppRecord })
  | (Entry & { readonly kind: 'app.deleted'; readonly atMs: Millis })
  | (Entry & { readonly kind: 'app.swept'; readonly done: boolean })
  | (Entry & {
      readonly kind: 'settings.changed';
      readonly settings: AppSettings;
      /** Absent in entries of older releases, and where they are only sealed anew. */
      readonly atMs?: Millis;
    })
  /** Events before an instant are hidden for good, because the retention changed. */
  | (Entry & { readonly kind: 'events.gone'; readonly beforeMs: Millis })
  | (Entry & {
      readonly kind: 'credential.stored';
      readonly credential: CredentialRecord;
      readonly publicKey: string | null;
    })
  | (Entry & {
      readonly kind: 'credential.rotated';
      readonly channel: CredentialName;
      readonly sealed: Uint8Array;
      readonly atMs: Millis;
    })
  | (Entry & { readonly kind: 'credential.deleted'; readonly channel: CredentialName })
  /** A new domain, or its key sealed again. */
  | (Entry & { readonly kind: 'email_domain.stored'; readonly domain: EmailDomainRecord })
  | (Entry & {
      readonly kind: 'email_domain.checked';
      readonly name: string;
      readonly state: EmailDomainState;
      readonly check: EmailDomainCheck;
      /** Set when it becomes verified. */
      readonly verifiedMs?: Millis;
    })
  | (Entry & { readonly kind: 'email_domain.deleted'; readonly name: string });

/** Invalidates what the fronts have cached of keys and orgs. */
export interface DirectoryChanged {
  readonly kind: 'directory.changed';
  readonly keyIds: readonly string[];
}
