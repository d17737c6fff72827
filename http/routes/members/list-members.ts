// Lists who may sign in to the org.

import { z } from 'zod';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { memberSchema, memberView } from './member-shape.ts';

export const listMembers = route({
  method: 'GET',
  path: '/v1/org/members',
  summary: 'List members',
  description: 'Everyone who may sign in to the org, with their role.',
  tag: 'Org',
  access: key('admin'),
  reads: ['member'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Members.', schema: countedPage(memberSchema) },
  },
  async handle(call) {
    requireOrgKey(call, 'members are', 'read');
    const { order, q, limit, cursor } = call.query;
    const { items, nextCursor, total } = await call
      .to<MembersProtocol>(call.org)
      .ask('member.list', { order, limit, ...present({ q, cursor }) });
    return { status: 200, body: { items: items.map(memberView), nextCursor, total } };
  },
});
