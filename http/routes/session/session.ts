// The session of a browser: who is signed in, and the ways out. Reading it without one is no error,
// so that a page can ask first.

import { fault, notFound } from '../../../actors/faults.ts';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { route, visitor } from '../../call/route.ts';
import { hasOrg, membershipsOf } from '../../call/session/memberships.ts';
import { noSessionCookie } from '../../call/session/session-cookie.ts';
import { isSession, sessionAnswer } from './session-answer.ts';
import { setCookieHeader, visitSchema } from './session-shape.ts';

/** Reads the session of a browser. Without one that is no error, so that a page can ask first. */
export const readSession = route({
  method: 'GET',
  path: '/v1/session',
  summary: 'Read your session',
  description:
    'Who is signed in, to which org, and what they may do there. If nobody is signed in: what a sign-in page needs.',
  tag: 'Sessions',
  access: visitor,
  reads: ['session', 'member', 'org'],
  lane: 'address',
  responses: { 200: { description: 'The session, or that there is none.', schema: visitSchema } },
  async handle(call) {
    const { grant, edge } = call;
    if (isSession(grant)) return { status: 200, body: await sessionAnswer(call, grant) };
    const setup = !(await hasOrg(edge));
    return { status: 200, body: { signedIn: false, setup, mode: edge.config.mode } };
  },
});

/** Signs out. The session ends everywhere before the response. */
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

/** Ends a membership by its person's own wish: leaves an org, or declines its invitation. */
export const leaveOrg = route({
  method: 'DELETE',
  path: '/v1/session/memberships/:org',
  summary: 'Leave an org',
  description:
    'For the dashboard: the person who is signed in by an address leaves an org, or declines its invitation. Their sessions there end before the response is sent. The only owner who accepted cannot leave while there are other members, nor the only member while the org has no admin key: 409. An invitation can always be declined. Needs the headers of `POST /v1/session`.',
  tag: 'Sessions',
  access: visitor,
  changes: ['member', 'session'],
  lane: 'address',
  params: { org: 'Id of an org in which the signed-in address is a member.' },
  responses: { 204: { description: 'The address is not a member.', headers: setCookieHeader } },
  refusals: [401, 403, 409],
  async handle(call) {
    const { grant, edge } = call;
    if (!isSession(grant)) throw new FaultError(fault('unauthorized', 'sign in first'));
    const email = grant.session.member?.email;
    if (email === undefined)
      throw new FaultError(
        fault('forbidden', 'this session is of an API key; sign in by an address to leave an org'),
      );
    const orgId = call.param('org');
    const found = (await membershipsOf(edge, email)).find((one) => one.orgId === orgId);
    if (found === undefined) throw new FaultError(notFound('membership'));
    const { org, member } = found;
    await call.to<MembersProtocol>(org).ask('member.leave', { memberId: member.id }, { by: -1 });
    const headers = org === grant.org ? [noSessionCookie(edge.config.publicUrl)] : [];
    return { status: 204, headers };
  },
});
