// Lists the sessions of an org.

import { z } from 'zod';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { orgSessionSchema, orgSessionView } from './session-shape.ts';

export const listOrgSessions = route({
  method: 'GET',
  path: '/v1/org/sessions',
  summary: 'List sessions',
  description:
    'Who is signed in to the dashboard of this org. `q` searches the addresses of members and the names of keys.',
  tag: 'Sessions',
  access: key('admin'),
  reads: ['session'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: { 200: { description: 'Sessions.', schema: countedPage(orgSessionSchema) } },
  async handle(call) {
    requireOrgKey(call, 'sessions are', 'read');
    const { order, q, limit, cursor } = call.query;
    const { items, nextCursor, total } = await call
      .to<SessionsProtocol>(call.org)
      .ask('session.list', { order, limit, ...present({ q, cursor }) });
    const current = call.grant?.session?.id;
    const views = items.map((one) => orgSessionView(one, current));
    return { status: 200, body: { items: views, nextCursor, total } };
  },
});
