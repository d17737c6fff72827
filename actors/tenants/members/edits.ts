// What counts as a change of a member for those who edit them: the role.

import type { Editable, EditableOf } from '../../area.ts';
import type { MembersMemory } from './memory.ts';
import { memberEtag } from './records.ts';

const memberOf = (
  { orgs }: MembersMemory,
  { memberId }: { readonly memberId: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const record = orgs.get(owner)?.members.get(memberId);
  return record && { key: memberId, etag: memberEtag(record) };
};

export const memberEdits = {
  'member.set_role': memberOf,
} satisfies Record<string, EditableOf<MembersMemory>>;

export const memberEnds = {
  'member.remove': memberOf,
} satisfies Record<string, EditableOf<MembersMemory>>;
