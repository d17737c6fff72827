// Removed members and changed roles, which a restore must not undo.

import type { UndoneBy } from '../../undone.ts';
import type { MembersMemory } from './memory.ts';
import type { MembersEntry } from './protocol.ts';

export const membersUndone: UndoneBy<MembersEntry, MembersMemory> = {
  'member.role_changed': {
    rank: 1,
    about: ({ memberId }) => `member ${memberId}`,
    again: ({ orgs }, { owner, memberId, role }) => {
      const member = orgs.get(owner)?.members.get(memberId);
      return member !== undefined && member.role !== role ? {} : undefined;
    },
  },
  'member.removed': {
    rank: 2,
    about: ({ memberId }) => `member ${memberId}`,
    again: ({ orgs }, { owner, memberId }) =>
      orgs.get(owner)?.members.has(memberId) ? {} : undefined,
  },
};
