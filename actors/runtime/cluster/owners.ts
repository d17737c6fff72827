// Who owns which partition, as one member knows it: by its own copies, and by what others say.

import type { CopySaid, MemberIdentity } from '../../../engine/cluster/beat.ts';
import type { Members } from '../../../engine/cluster/members.ts';
import type { PartitionOwner } from './protocol.ts';

interface OwnersView {
  readonly self: MemberIdentity;
  /** Its own. */
  readonly copies: readonly CopySaid[];
  readonly members: Pick<Members, 'others'>;
  /** Of its own, those that are about to move. */
  readonly held: ReadonlySet<number>;
}

/** Of all partitions with a live owner, in order: of two that say so, the one of the newer term. */
export function ownersOf({ self, copies, members, held }: OwnersView): readonly PartitionOwner[] {
  const owners = new Map<number, PartitionOwner>();
  const note = (owner: PartitionOwner) => {
    const known = owners.get(owner.partition);
    if (known === undefined || known.term < owner.term) owners.set(owner.partition, owner);
  };
  const noteOf = ({ name, address }: MemberIdentity, said: readonly CopySaid[]) => {
    for (const { partition, role, term } of said) {
      if (role !== 'owner') continue;
      const isHeld = name === self.name && held.has(partition);
      note({ partition, member: name, address, term, ...(isHeld && { isHeld }) });
    }
  };
  noteOf(self, copies);
  for (const { isLive, beat } of members.others()) if (isLive) noteOf(beat.member, beat.copies);
  return [...owners.values()].sort((one, other) => one.partition - other.partition);
}
