// What other areas read of the members of an org.

import type { MemberRecord } from './records.ts';

export interface MembersReads {
  readonly members: ReadonlyMap<string, MemberRecord>;
}
