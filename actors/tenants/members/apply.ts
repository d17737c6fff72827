// Folds the members of orgs.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Applies } from '../../../engine/actor/protocol.ts';
import { addAddress, type MembersMemory, removeAddress } from './memory.ts';
import type { MembersEntry } from './protocol.ts';
import { placesMax } from './records.ts';

export const membersApplies: Applies<MembersEntry, MembersMemory> = {
  'member.added': (state, { owner, member }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    org.members.set(member.id, member);
    addAddress(state, member.email, owner);
  },
  'member.role_changed': (state, { owner, memberId, role }) => {
    const members = state.orgs.get(owner)?.members;
    const member = members?.get(memberId);
    if (member !== undefined) members?.set(memberId, { ...member, role });
  },
  'member.removed': (state, { owner, memberId }) => {
    const members = state.orgs.get(owner)?.members;
    const member = members?.get(memberId);
    if (member === undefined) return;
    members?.delete(memberId);
    removeAddress(state, member.email, owner);
  },
  'member.signed_in': (state, { owner, memberId, place }) => {
    const members = state.orgs.get(owner)?.members;
    const member = members?.get(memberId);
    if (member === undefined) return;
    const { isOpen: _, places = [], ...rest } = member;
    const known = place === undefined ? places : [place, ...places.filter((one) => one !== place)];
    const kept = known.slice(0, placesMax);
    members?.set(memberId, { ...rest, ...(kept.length === 0 ? {} : { places: kept }) });
  },
};

/** The clock was ahead: what it stamped since then gets its true time. */
export function rebaseMembers({ orgs }: MembersMemory, { stamp }: Rebase): void {
  for (const { members } of orgs.values())
    for (const member of members.values())
      members.set(member.id, { ...member, createdMs: stamp(member.createdMs) });
}
