// An app's identity keys in memory; and what identity sees of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { AudienceFolds } from '../audience/folds.ts';
import type { AudienceReads } from '../audience/reads.ts';
import type { UpsertReads } from '../audience/upsert.ts';
import { type IdentityKeys, noIdentityKeys } from '../identity-keys.ts';

export interface IdentityApp {
  identity: IdentityKeys;
}

export const identityOfApp: Slice<IdentityApp, IdentityApp, NewApp> = {
  make: () => ({ identity: noIdentityKeys }),
  snapshot: ({ identity }) => ({ identity }),
  restore: ({ identity }) => ({ identity }),
};

export type IdentityView = IdentityApp &
  AccountsReads &
  AudienceReads &
  AudienceFolds &
  UpsertReads & {
    readonly monthlyActive: { isUnvouched(person: PersonOrdinal): boolean };
  };

export type IdentityMemory = AppsOf<IdentityView>;
