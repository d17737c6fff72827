// Ends a session of an org.

import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';

export const endOrgSession = route({
  method: 'DELETE',
  path: '/v1/org/sessions/:id',
  summary: 'End a session',
  description:
    'Signs the person out before the response is sent. A member can sign in again; to prevent that, remove the member.',
  tag: 'Sessions',
  access: key('admin'),
  changes: ['session'],
  lane: 'standard',
  params: { id: 'Session id, `ses_…`.' },
  responses: { 204: { description: 'Ended.' } },
  refusals: [404],
  async handle(call) {
    requireOrgKey(call, 'sessions are');
    await call.to<SessionsProtocol>(call.org).ask('session.end', { id: call.param('id') });
    return { status: 204 };
  },
});
