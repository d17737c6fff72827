// Removes somebody who may sign in to the org.

import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';

export const removeMember = route({
  method: 'DELETE',
  path: '/v1/org/members/:id',
  summary: 'Remove a member',
  description:
    'The only owner cannot be removed while there are other members, nor the only one who accepted: 409. Their sessions end before the response is sent. A restore from a backup does not bring a removed member back.',
  tag: 'Org',
  access: key('admin'),
  changes: ['member', 'session'],
  lane: 'standard',
  edits: 'member.remove',
  params: { id: 'Member id.' },
  responses: { 204: { description: 'Removed.' } },
  refusals: [404, 409],
  async handle(call) {
    requireOrgKey(call, 'members are');
    await call.to<MembersProtocol>(call.org).ask('member.remove', { memberId: call.param('id') });
    return { status: 204 };
  },
});
