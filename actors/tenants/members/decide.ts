// Decides about the members of an org. Source: contract, section 2.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { newId } from '../../../engine/base/id.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { adminKeysOf } from '../accounts/admin-keys.ts';
import { beyondMaker } from '../accounts/maker-scopes.ts';
import { pageById } from '../accounts/page-by-id.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { MembersMemory } from './memory.ts';
import type { MembersEntry, MembersProtocol } from './protocol.ts';
import { addressKey, type MemberRecord, scopesOf } from './records.ts';

export const membersDecisions: Decisions<MembersProtocol, MembersMemory> = {
  'member.add': (state, { email, role, actor }, context) =>
    withOrg(state, context, (org) => {
      const { owner, nowMs, rng } = context;
      const { members } = org;
      const beyond = beyondMaker(state, org, actor, scopesOf(role), givenRole);
      if (beyond !== undefined) return refused(beyond);
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
      const id = newId('mbr', 0, nowMs, rng);
      const member: MemberRecord = { id, email, role, createdMs: nowMs, isOpen: true };
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

  'member.set_role': (state, { memberId, role, actor }, context) =>
    withOrg(state, context, (org) => {
      const { members } = org;
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      const beyond = beyondMaker(state, org, actor, scopesOf(role), givenRole);
      if (beyond !== undefined) return refused(beyond);
      if (member.role === role) return accepted(member);
      if (isOnlyOwner(member, members)) return refused(onlyOwner);
      if (isOnlyAccepted(member, members)) return refused(onlyAccepted);
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
      if (members.size > 1 && isOnlyAccepted(member, members)) return refused(onlyAccepted);
      if (members.size === 1 && adminKeysOf(state, org).length === 0) return refused(lastWayIn);
      const entry: MembersEntry = { kind: 'member.removed', owner: context.owner, memberId };
      return accepted(null, { entries: [entry] });
    }),

  'member.leave': (state, { memberId }, context) =>
    withOrg(state, context, (org) => {
      const { members } = org;
      const member = members.get(memberId);
      if (member === undefined) return refused(notFound('member'));
      // Nobody is kept where they never went, and an owner who never came keeps no org going.
      if (member.isOpen !== true) {
        if (members.size > 1 && isOnlyAccepted(member, members)) return refused(onlyAccepted);
        if (members.size === 1 && adminKeysOf(state, org).length === 0) return refused(lastWayIn);
      }
      const entry: MembersEntry = { kind: 'member.removed', owner: context.owner, memberId };
      return accepted(null, { entries: [entry] });
    }),
};

const givenRole = { field: 'role', given: 'give roles whose scopes' };

const lastWayIn = fault(
  'wrong_state',
  'this is the only member, and the org has no admin key; create an admin key first',
);

const onlyOwner = fault('wrong_state', 'this is the only owner; add another owner first');

const onlyAccepted = fault(
  'wrong_state',
  'this is the only owner who accepted; let another owner sign in first',
);

function isOnlyOwner({ role }: MemberRecord, members: ReadonlyMap<string, MemberRecord>): boolean {
  if (role !== 'owner') return false;
  return [...members.values()].filter((one) => one.role === 'owner').length === 1;
}

/** The invited owners may decline, and then nobody could let anyone in. */
function isOnlyAccepted(member: MemberRecord, members: ReadonlyMap<string, MemberRecord>): boolean {
  if (member.isOpen === true) return false;
  return isOnlyOwner(member, new Map([...members].filter(([, one]) => one.isOpen !== true)));
}
