// Decides about the members of an org. Source: contract, section 2.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { MembersEntry, MembersProtocol } from './protocol.ts';
import type { MembersMemory } from './view.ts';

export const membersDecisions: Decisions<MembersProtocol, MembersMemory> = {
  'member.add': (state, { email, role }, context) =>
    withOrg(state, context, ({ members }) => {
      const { owner, nowMs, rng } = context;
      const same = email.toLowerCase();
      for (const one of members.values())
        if (one.email.toLowerCase() === same)
          return refused(fault('conflict', `${one.email} is a member already, as ${one.role}`));
      if (members.size >= limits.membersMax)
        return refused(
          fault('conflict', `an org has at most ${limits.membersMax} members; remove one first`),
        );
      const member = { id: newId('mbr', 0, nowMs, rng), email, role, createdMs: nowMs };
      const entry: MembersEntry = { kind: 'member.added', owner, member };
      return accepted(member, { entries: [entry] });
    }),

  'member.list': (state, { limit, cursor }, context) =>
    withOrg(state, context, ({ members }) => {
      if (cursor !== undefined && parseId('mbr', cursor) === undefined)
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const rest = [...members.values()]
        .filter(({ id }) => cursor === undefined || id > cursor)
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const items = rest.slice(0, limit);
      const nextCursor = rest.length > limit ? (items.at(-1)?.id ?? null) : null;
      return accepted({ items, nextCursor });
    }),

  'member.remove': (state, { memberId }, context) =>
    withOrg(state, context, ({ members }) => {
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      const isLast = member.role === 'owner' && ![...members.values()].some(isOtherOwner(memberId));
      if (isLast && members.size > 1)
        return refused(fault('conflict', 'this is the only owner; add another owner first'));
      const entry: MembersEntry = { kind: 'member.removed', owner: context.owner, memberId };
      return accepted(null, { entries: [entry] });
    }),
};

function isOtherOwner(memberId: string) {
  return ({ id, role }: { readonly id: string; readonly role: string }) =>
    role === 'owner' && id !== memberId;
}
