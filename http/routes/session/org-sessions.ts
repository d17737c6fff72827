// The sessions of an org.

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

export const endOrgSession = route({
  method: 'DELETE',
  path: '/v1/org/sessions/:id',
  summary: 'End a session',
  description:
    'Signs the person out before the response is sent. A member can sign in again; to prevent that, remove the member.',
  tag: 'Sessions',
  access: key('admin'),
  changes: ['session'],
  params: { id: 'Session id, `ses_…`.' },
  responses: { 204: { description: 'Ended.' } },
  async handle(call) {
    requireOrgKey(call, 'sessions are');
    await call.to<SessionsProtocol>(call.org).ask('session.end', { id: call.param('id') });
    return { status: 204 };
  },
});
