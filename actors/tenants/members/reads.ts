// What other areas read of the members of an org.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { MemberRecord } from './records.ts';

export interface MembersReads {
  readonly members: ReadonlyMap<string, MemberRecord>;
}

export interface OrgsOfAddress {
  /** In which orgs an address is a member, by `addressKey`. */
  readonly orgsOfAddress: ReadonlyMap<string, ReadonlySet<Ordinal>>;
}
