// What other areas read of orgs and of the configuration of apps.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AccountsApp, AccountsOrg, AccountsPartition } from './state.ts';

export type AccountsReads = Readonly<Omit<AccountsApp, 'credentials'>> & {
  readonly credentials: ReadonlyMap<
    string,
    AccountsApp['credentials'] extends Map<string, infer Record> ? Record : never
  >;
};

export interface OrgReads extends Readonly<Pick<AccountsOrg, 'record'>> {
  readonly apps: ReadonlySet<Ordinal>;
  readonly keyIds: ReadonlySet<string>;
}

export interface OrgsOf<Org> {
  readonly orgs: ReadonlyMap<Ordinal, Org>;
}

export interface KeysReads {
  readonly keys: ReadonlyMap<
    string,
    AccountsPartition['keys'] extends Map<string, infer Key> ? Key : never
  >;
}
