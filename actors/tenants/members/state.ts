// The members of an org, in memory.

import type { NewOrg, Slice } from '../../area.ts';
import type { MemberRecord } from './records.ts';

export interface MembersOrg {
  /** By id, oldest first. */
  readonly members: Map<string, MemberRecord>;
}

interface OrgSnapshot {
  /** Absent in checkpoints of older releases. */
  readonly members?: readonly MemberRecord[];
}

export const membersOfOrg: Slice<MembersOrg, OrgSnapshot, NewOrg> = {
  make: () => ({ members: new Map() }),
  snapshot: ({ members }) => ({ members: [...members.values()] }),
  restore: ({ members }) => ({ members: new Map((members ?? []).map((one) => [one.id, one])) }),
};
