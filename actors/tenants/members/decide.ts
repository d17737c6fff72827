// Decides about the members of an org. Source: contract, section 2.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { newId } from '../../../engine/base/id.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { adminKeysOf } from '../accounts/admin-keys.ts';
import { pageById } from '../accounts/page-by-id.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { MembersEntry, MembersProtocol } from './protocol.ts';
import { addressKey, type MemberRecord } from './records.ts';
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

  'member.set_role': (state, { memberId, role }, context) =>
    withOrg(state, context, ({ members }) => {
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      if (member.role === role) return accepted(member);
      if (isOnlyOwner(member, members)) return refused(onlyOwner);
      const { owner } = context;
      const entry: MembersEntry = { kind: 'member.role_changed', owner, memberId, role };
      return accepted({ ...member, role }, { entries: [entry] });
    }),

  'member.remove': (state, { memberId }, context) =>
    withOrg(state, context, (org) => {
      const { members } = org;
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      if (members.size > 1 && isOnlyOwner(member, members)) return refused(onlyOwner);
      if (members.size === 1 && adminKeysOf(state, org).length === 0) return refused(lastWayIn);
      const entry: MembersEntry = { kind: 'member.removed', owner: context.owner, memberId };
      return accepted(null, { entries: [entry] });
    }),
};

const lastWayIn = fault(
  'wrong_state',
  'this is the only member, and the org has no admin key; create an admin key first',
);

const onlyOwner = fault('wrong_state', 'this is the only owner; add another owner first');

function isOnlyOwner({ role }: MemberRecord, members: ReadonlyMap<string, MemberRecord>): boolean {
  if (role !== 'owner') return false;
  return [...members.values()].filter((one) => one.role === 'owner').length === 1;
}
