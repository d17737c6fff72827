// Orgs, keys, and the configuration of apps in memory; and what accounts see of a partition's
// memory.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { NewApp, NewOrg, Slice } from '../../area.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import {
  type AppRecord,
  type AppSettings,
  type Branding,
  type CredentialRecord,
  type EmailDomainRecord,
  type KeyRecord,
  noBranding,
  type OrgBranding,
  type OrgRecord,
  serviceBranding,
  settingsBefore,
  wholeSettings,
} from './records.ts';

export interface AccountsApp {
  record: AppRecord;
  settings: AppSettings;
  readonly credentials: Map<CredentialName, CredentialRecord>;
  vapidPublicKey: string | null;
  readonly emailDomains: Map<string, EmailDomainRecord>;
  /** A copy of the org's: what sends for an app sees the app alone. */
  vouchedDomains: readonly string[];
  /** As resolved for its org; a copy for the same reason. */
  branding: Branding;
}

export interface AccountsOrg {
  record: OrgRecord;
  branding: OrgBranding;
  readonly apps: Set<Ordinal>;
  readonly keyIds: Set<string>;
}

export interface AccountsPartition<App = AccountsApp, Org = AccountsOrg> {
  readonly orgs: Map<Ordinal, Org>;
  readonly orgById: Map<string, Ordinal>;
  readonly apps: Map<Ordinal, App>;
  readonly keys: Map<string, KeyRecord & { readonly org: Ordinal }>;
  /** Ordinals assigned per slot; never reused. */
  readonly ordinalsUsed: Map<number, number>;
  /** Deleted apps whose documents are still being removed in bounded turns. */
  readonly tombstones: Set<Ordinal>;
  /** Makes the memory of a new org or app, with the members of every area. */
  addOrg(record: OrgRecord): void;
  addApp(record: AppRecord): App;
}

type AppSnapshot = Omit<
  AccountsApp,
  'credentials' | 'emailDomains' | 'vouchedDomains' | 'branding'
> & {
  readonly credentials: readonly (readonly [string, unknown])[];
  /** These are absent in checkpoints of older releases. */
  readonly emailDomains?: readonly EmailDomainRecord[];
  readonly vouchedDomains?: readonly string[];
  readonly branding?: Branding;
};

export const accountsOfApp: Slice<AccountsApp, AppSnapshot, NewApp> = {
  make: ({ record }) => ({
    record,
    settings: settingsBefore,
    credentials: new Map(),
    vapidPublicKey: null,
    emailDomains: new Map(),
    vouchedDomains: [],
    branding: serviceBranding,
  }),
  snapshot: ({ record, settings, credentials, vapidPublicKey, emailDomains, ...copied }) => ({
    record,
    settings,
    credentials: [...credentials],
    vapidPublicKey,
    emailDomains: [...emailDomains.values()],
    vouchedDomains: copied.vouchedDomains,
    branding: copied.branding,
  }),
  restore: (from) => ({
    record: from.record,
    settings: wholeSettings(from.settings),
    credentials: new Map(from.credentials) as AccountsApp['credentials'],
    vapidPublicKey: from.vapidPublicKey,
    emailDomains: new Map((from.emailDomains ?? []).map((one) => [one.domain, one])),
    vouchedDomains: from.vouchedDomains ?? [],
    branding: from.branding ?? serviceBranding,
  }),
};

interface OrgSnapshot {
  readonly record: OrgRecord;
  /** Absent in checkpoints of older releases. */
  readonly branding?: OrgBranding;
  readonly apps: readonly Ordinal[];
  readonly keyIds: readonly string[];
}

export const accountsOfOrg: Slice<AccountsOrg, OrgSnapshot, NewOrg> = {
  make: ({ record }) => ({ record, branding: noBranding, apps: new Set(), keyIds: new Set() }),
  snapshot: ({ record, branding, apps, keyIds }) => ({
    record,
    branding,
    apps: [...apps],
    keyIds: [...keyIds],
  }),
  restore: ({ record, branding, apps, keyIds }) => ({
    record,
    branding: branding ?? noBranding,
    apps: new Set(apps),
    keyIds: new Set(keyIds),
  }),
};

type OwnPartition = Pick<AccountsPartition, 'keys' | 'ordinalsUsed' | 'tombstones'>;

interface PartitionSnapshot {
  readonly keys: readonly (readonly [string, KeyRecord & { readonly org: Ordinal }])[];
  readonly ordinalsUsed: readonly (readonly [number, number])[];
  readonly tombstones: readonly Ordinal[];
}

/** The runtime writes orgs and apps themselves, slice by slice. */
export const accountsOfPartition: Slice<OwnPartition, PartitionSnapshot, object> = {
  make: () => ({ keys: new Map(), ordinalsUsed: new Map(), tombstones: new Set() }),
  snapshot: ({ keys, ordinalsUsed, tombstones }) => ({
    keys: [...keys],
    ordinalsUsed: [...ordinalsUsed],
    tombstones: [...tombstones],
  }),
  restore: ({ keys, ordinalsUsed, tombstones }) => ({
    keys: new Map(keys),
    ordinalsUsed: new Map(ordinalsUsed),
    tombstones: new Set(tombstones),
  }),
};

export type AccountsView = AccountsApp;

export type AccountsOrgView = AccountsOrg & SentByOrg & PeopleOfOrg;

export type AccountsMemory = AccountsPartition<AccountsView, AccountsOrgView>;

/** What an org sent, counted by areas below. */
interface SentByOrg {
  readonly sendsDay: number;
  readonly sendsToday: number;
  readonly meter: { emails(month: UtcMonth): { readonly delivered: number } | undefined };
}

/** Who may act for an org besides its keys, of an area below. */
interface PeopleOfOrg {
  readonly members: ReadonlyMap<string, { readonly role: string; readonly isOpen?: true }>;
}
