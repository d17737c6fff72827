// Folds the members of orgs.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Applies } from '../../../engine/actor/protocol.ts';
import type { MembersEntry } from './protocol.ts';
import type { MembersMemory } from './view.ts';

export const membersApplies: Applies<MembersEntry, MembersMemory> = {
  'member.added': (state, { owner, member }) => {
    state.orgs.get(owner)?.members.set(member.id, member);
  },
  'member.removed': (state, { owner, memberId }) => {
    state.orgs.get(owner)?.members.delete(memberId);
  },
};

/** The clock was ahead: what it stamped since then gets its true time. */
export function rebaseMembers({ orgs }: MembersMemory, { stamp }: Rebase): void {
  for (const { members } of orgs.values())
    for (const member of members.values())
      members.set(member.id, { ...member, createdMs: stamp(member.createdMs) });
}
