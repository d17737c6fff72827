// What sessions see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { KeysReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { AppRecord } from '../accounts/records.ts';
import type { MembersReads, OrgsOfAddress } from '../members/reads.ts';
import type { SessionsOrg, SessionsPartition } from './state.ts';

export type SessionsOrgView = SessionsOrg & MembersReads & Pick<OrgReads, 'record' | 'keyIds'>;

export type SessionsMemory = SessionsPartition &
  OrgsOf<SessionsOrgView> &
  OrgsOfAddress &
  KeysReads &
  AppsOf<{ readonly record: AppRecord }>;
