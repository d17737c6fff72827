// What the audit log notes of members.

import type { Notes } from '../../audit-note.ts';
import type { MembersMemory } from './memory.ts';
import type { MembersEntry } from './protocol.ts';

export const membersNotes: Notes<MembersEntry, MembersMemory> = {
  'member.added': (_state, { member: { id, role } }) => ({
    action: 'member.added',
    target: id,
    after: { role },
  }),
  'member.role_changed': (state, { owner, memberId, role }) => {
    const was = state.orgs.get(owner)?.members.get(memberId)?.role;
    return (
      was && {
        action: 'member.role_changed',
        target: memberId,
        before: { role: was },
        after: { role },
      }
    );
  },
  'member.signed_in': (state, { owner, memberId }) =>
    state.orgs.get(owner)?.members.get(memberId)?.isOpen === true
      ? { action: 'member.accepted', target: memberId, actor: memberId }
      : undefined,
  'member.removed': (state, { owner, memberId }, _context, message) => {
    const member = state.orgs.get(owner)?.members.get(memberId);
    if (member === undefined) return undefined;
    const { role, isOpen } = member;
    const removed = { target: memberId, before: { role } };
    if (message.kind !== 'member.leave') return { action: 'member.removed', ...removed };
    const action = isOpen === true ? 'member.declined' : 'member.left';
    return { action, ...removed, actor: memberId };
  },
};
