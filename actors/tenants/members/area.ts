// The people who may sign in to an org, each with a role.

import type { Area } from '../../area.ts';
import { membersApplies, rebaseMembers } from './apply.ts';
import { membersDecisions } from './decide.ts';
import { memberEdits, memberEnds } from './edits.ts';
import {
  type MembersMemory,
  type MembersOrgView,
  membersOfOrg,
  membersOfPartition,
} from './memory.ts';
import { membersNotes } from './notes.ts';
import { membersUndone } from './undone.ts';

export const membersArea = {
  name: 'members',
  org: membersOfOrg,
  partition: membersOfPartition,
  decide: () => membersDecisions,
  apply: membersApplies,
  silent: ['member.added', 'member.role_changed', 'member.removed', 'member.signed_in'],
  edits: memberEdits,
  ends: memberEnds,
  notes: membersNotes,
  undone: membersUndone,
  whenDiskIsFull: ['member.list', 'member.remove'],
  on: { clockRebased: rebaseMembers },
} as const satisfies Area<never, MembersMemory, object, MembersOrgView>;
