// The people who may sign in to the org.

import { z } from 'zod';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { emailSchema } from '../../call/schemas/email-schema.ts';
import { requireOrgKey } from '../org-key.ts';
import { Resource } from '../resource.ts';
import { memberSchema, memberView, roleSchema } from './member-shape.ts';

const members = new Resource({
  path: '/v1/org/members',
  params: { id: 'Member id.' },
  tag: 'Org',
  noun: 'member',
  a: 'a member',
  scopes: ['admin', 'admin'],
  schema: memberSchema,
  view: memberView,
  actor: (call) => {
    requireOrgKey(call, 'members are');
    return call.to<MembersProtocol>(call.org);
  },
  named: (call) => ({ memberId: call.param('id') }),
});

export const addMember = members.create({
  summary: 'Add a member',
  description:
    'A member signs in to the dashboard by a link that `POST /v1/session/link` mails. Nothing is sent now. The membership is an invitation until its person signs in here; they may decline it. An address can be a member once; addresses that differ only by case are the same: 409. A key can only give roles whose scopes it has: an owner has all, an editor read, write and send, a viewer read.',
  body: z
    .object({ email: emailSchema, role: roleSchema })
    .meta({ examples: [{ email: 'ada@acme.example', role: 'editor' }] }),
  refusals: [409],
  asks: 'member.add',
  says: ({ body }) => body,
});

export const listMembers = members.list({
  description: 'Everyone who may sign in to the org, with their role.',
  async handle(call) {
    requireOrgKey(call, 'members are', 'read');
    const { order, q, limit, cursor } = call.query;
    const { items, nextCursor, total } = await call
      .to<MembersProtocol>(call.org)
      .ask('member.list', { order, limit, ...present({ q, cursor }) });
    return { status: 200, body: { items: items.map(memberView), nextCursor, total } };
  },
});

export const updateMember = members.update({
  description:
    'Changes the role, to one whose scopes the key has. The role of the only owner, or of the only one who accepted, cannot be changed: 409. Sessions of the member continue with the new role from the next call; live streams end and can be opened again. A restore from an older backup keeps the new role.',
  changes: ['member', 'session'],
  body: z.object({ role: roleSchema }).meta({ examples: [{ role: 'viewer' }] }),
  refusals: [409],
  answer: 'The member.',
  asks: 'member.set_role',
  says: ({ body: { role } }) => ({ role }),
});

export const removeMember = members.remove({
  summary: 'Remove a member',
  description:
    'The only owner cannot be removed while there are other members, nor the only one who accepted: 409. Their sessions end before the response is sent. A restore from a backup does not bring a removed member back.',
  changes: ['member', 'session'],
  refusals: [409],
  answer: 'Removed.',
  asks: 'member.remove',
});
