// What other areas read of orgs and of the configuration of apps.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AccountsApp, AccountsOrg, AccountsPartition } from './memory.ts';
import type { CredentialRecord, EmailDomainRecord, KeyRecord } from './records.ts';

export type AccountsReads = Readonly<Omit<AccountsApp, 'credentials' | 'emailDomains'>> & {
  readonly credentials: ReadonlyMap<string, CredentialRecord>;
  readonly emailDomains: ReadonlyMap<string, EmailDomainRecord>;
};

export interface OrgReads extends Readonly<Pick<AccountsOrg, 'record' | 'branding'>> {
  readonly apps: ReadonlySet<Ordinal>;
  readonly keyIds: ReadonlySet<string>;
}

export interface OrgsOf<Org> {
  readonly orgs: ReadonlyMap<Ordinal, Org>;
}

export interface KeysReads {
  readonly keys: ReadonlyMap<string, KeyRecord & { readonly org: Ordinal }>;
}

/** Where orgs are, and which ordinals are taken. */
export type DirectoryReads = Readonly<Pick<AccountsPartition, 'orgById' | 'ordinalsUsed'>>;
