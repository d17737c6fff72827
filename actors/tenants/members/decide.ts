// Decides about the members of an org. Source: contract, section 2.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { newId } from '../../../engine/base/id.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { pageById } from '../accounts/page-by-id.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { MembersEntry, MembersProtocol } from './protocol.ts';
import { addressKey } from './records.ts';
import type { MembersMemory } from './view.ts';

export const membersDecisions: Decisions<MembersProtocol, MembersMemory> = {
  'member.add': (state, { email, role }, context) =>
    withOrg(state, context, ({ members }) => {
      const { owner, nowMs, rng } = context;
      const same = addressKey(email);
      for (const one of members.values())
        if (addressKey(one.email) === same)
          return refused(fault('duplicate', `${one.email} is a member already, as ${one.role}`));
      if (members.size >= limits.membersMax)
        return refused(
          fault(
            'limit_reached',
            `an org has at most ${limits.membersMax} members; remove one first`,
          ),
        );
      const member = { id: newId('mbr', 0, nowMs, rng), email, role, createdMs: nowMs };
      const entry: MembersEntry = { kind: 'member.added', owner, member };
      return accepted(member, { entries: [entry] });
    }),

  'member.list': (state, asked, context) =>
    withOrg(state, context, ({ members }) =>
      pageById('mbr', [...members.values()], asked, {
        name: ({ email }) => email,
        views: (some) => some,
      }),
    ),

  'member.remove': (state, { memberId }, context) =>
    withOrg(state, context, ({ members }) => {
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      const owners = [...members.values()].filter(({ role }) => role === 'owner');
      if (member.role === 'owner' && owners.length === 1 && members.size > 1)
        return refused(fault('wrong_state', 'this is the only owner; add another owner first'));
      const entry: MembersEntry = { kind: 'member.removed', owner: context.owner, memberId };
      return accepted(null, { entries: [entry] });
    }),
};
