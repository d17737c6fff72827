// What identity sees of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { AudienceFolds } from '../audience/folds.ts';
import type { AudienceReads } from '../audience/reads.ts';
import type { UpsertReads } from '../audience/upsert.ts';
import type { IdentityApp } from './state.ts';

export type IdentityView = IdentityApp &
  AccountsReads &
  AudienceReads &
  AudienceFolds &
  UpsertReads & {
    readonly monthlyActive: { isUnvouched(person: PersonOrdinal): boolean };
  };

export type IdentityMemory = AppsOf<IdentityView>;
