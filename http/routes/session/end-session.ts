// Signs out. The session ends everywhere before the response.

import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { route, visitor } from '../../call/route.ts';
import { noSessionCookie } from '../../call/session/session-cookie.ts';
import { isSession } from './session-answer.ts';
import { setCookieHeader } from './set-cookie.ts';

export const endSession = route({
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign out',
  description:
    'Ends the session before the response is sent, and removes the cookie. Without a session, it only removes the cookie. Needs the headers of `POST /v1/session`.',
  tag: 'Sessions',
  access: visitor,
  changes: ['session'],
  lane: 'address',
  responses: { 204: { description: 'Signed out.', headers: setCookieHeader } },
  refusals: [401],
  async handle(call) {
    const { grant } = call;
    if (isSession(grant))
      await call
        .to<SessionsProtocol>(grant.org)
        .ask('session.end', { id: grant.session.id })
        .catch(ignoreGone);
    return { status: 204, headers: [noSessionCookie(call.edge.config.publicUrl)] };
  },
});

function ignoreGone(error: unknown): void {
  if (!(error instanceof FaultError) || error.fault.code !== 'not_found') throw error;
}
