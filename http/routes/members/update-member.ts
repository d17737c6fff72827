// Changes the role of somebody who may sign in to the org.

import { z } from 'zod';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import { memberSchema, memberView, roleSchema } from './member-shape.ts';

export const updateMember = route({
  method: 'PATCH',
  path: '/v1/org/members/:id',
  summary: 'Update a member',
  description:
    'Changes the role, to one whose scopes the key has. The role of the only owner, or of the only one who accepted, cannot be changed: 409. Sessions of the member continue with the new role from the next call; live streams end and can be opened again. A restore from an older backup keeps the new role.',
  tag: 'Org',
  access: key('admin'),
  changes: ['member', 'session'],
  lane: 'standard',
  edits: 'member.set_role',
  params: { id: 'Member id.' },
  body: z.object({ role: roleSchema }).meta({ examples: [{ role: 'viewer' }] }),
  responses: { 200: { description: 'The member.', schema: memberSchema } },
  refusals: [404, 409],
  async handle(call) {
    requireOrgKey(call, 'members are');
    const body = { memberId: call.param('id'), role: call.body.role };
    const member = await call.to<MembersProtocol>(call.org).ask('member.set_role', body);
    return { status: 200, body: memberView(member) };
  },
});
