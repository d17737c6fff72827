// The people who may sign in to an org, each with a role.

import type { Area, Editable } from '../../area.ts';
import type { UndoneBy } from '../../undone.ts';
import { membersApplies, rebaseMembers } from './apply.ts';
import { membersDecisions } from './decide.ts';
import {
  type MembersMemory,
  type MembersOrgView,
  membersOfOrg,
  membersOfPartition,
} from './memory.ts';
import { membersNotes } from './notes.ts';
import type { MembersEntry } from './protocol.ts';
import { memberEtag } from './records.ts';

/** Removed members and changed roles, which a restore must not undo. */
const membersUndone: UndoneBy<MembersEntry, MembersMemory> = {
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

export const membersArea = {
  name: 'members',
  org: membersOfOrg,
  partition: membersOfPartition,
  decide: () => membersDecisions,
  apply: membersApplies,
  silent: ['member.added', 'member.role_changed', 'member.removed', 'member.signed_in'],
  edits: {
    'member.set_role': memberOf,
  },
  ends: {
    'member.remove': memberOf,
  },
  notes: membersNotes,
  undone: membersUndone,
  whenDiskIsFull: ['member.list', 'member.remove'],
  on: { clockRebased: rebaseMembers },
} as const satisfies Area<never, MembersMemory, object, MembersOrgView>;

/** What counts as a change of a member for those who edit them: the role. */
function memberOf(
  { orgs }: MembersMemory,
  { memberId }: { readonly memberId: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = orgs.get(owner)?.members.get(memberId);
  return record && { key: memberId, etag: memberEtag(record) };
}
