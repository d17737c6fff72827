// Lists who may sign in to the org.

import { z } from 'zod';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { memberSchema, memberView } from './member-shape.ts';

export const listMembers = route({
  method: 'GET',
  path: '/v1/org/members',
  summary: 'List members',
  description: 'Everyone who may sign in to the org, with their role.',
  tag: 'Org',
  access: key('admin'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Members, oldest first.', schema: pageWithExample(memberSchema) },
  },
  async handle(call) {
    requireOrgKey(call, 'members are', 'read');
    const { limit, cursor } = call.query;
    const { items, nextCursor } = await call
      .to<MembersProtocol>(call.org)
      .ask('member.list', { limit, ...present({ cursor }) });
    return { status: 200, body: { items: items.map(memberView), nextCursor } };
  },
});
