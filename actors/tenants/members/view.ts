// What the members of orgs see of a partition's memory.

import type { KeysReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { MembersOrg, MembersPartition } from './state.ts';

export type MembersOrgView = MembersOrg & Pick<OrgReads, 'keyIds'>;

export type MembersMemory = MembersPartition & OrgsOf<MembersOrgView> & KeysReads;
