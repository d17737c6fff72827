// The members of an org, in memory, and in which orgs an address is one; and what the members of
// orgs see of a partition's memory.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { NewOrg, Slice } from '../../area.ts';
import type { KeysReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import { addressKey, type MemberRecord } from './records.ts';

export interface MembersOrg {
  /** By id, oldest first. */
  readonly members: Map<string, MemberRecord>;
}

export interface MembersPartition {
  readonly orgsOfAddress: Map<string, Set<Ordinal>>;
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

/** The orgs beside it in a checkpoint. */
interface PartitionSnapshot {
  readonly orgs?: readonly (readonly [Ordinal, OrgSnapshot])[];
}

export const membersOfPartition: Slice<MembersPartition, PartitionSnapshot, object> = {
  make: () => ({ orgsOfAddress: new Map() }),
  snapshot: () => ({}),
  restore: ({ orgs = [] }) => {
    const orgsOfAddress: MembersPartition['orgsOfAddress'] = new Map();
    for (const [org, { members = [] }] of orgs)
      for (const { email } of members) addAddress({ orgsOfAddress }, email, org);
    return { orgsOfAddress };
  },
};

export function addAddress({ orgsOfAddress }: MembersPartition, email: string, org: Ordinal): void {
  const address = addressKey(email);
  const orgs = orgsOfAddress.get(address);
  if (orgs === undefined) orgsOfAddress.set(address, new Set([org]));
  else orgs.add(org);
}

export function removeAddress(
  { orgsOfAddress }: MembersPartition,
  email: string,
  org: Ordinal,
): void {
  const address = addressKey(email);
  const orgs = orgsOfAddress.get(address);
  orgs?.delete(org);
  if (orgs?.size === 0) orgsOfAddress.delete(address);
}

export type MembersOrgView = MembersOrg & Pick<OrgReads, 'keyIds'>;

export type MembersMemory = MembersPartition & OrgsOf<MembersOrgView> & KeysReads;
