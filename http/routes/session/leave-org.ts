// Ends a membership by its person's own wish: leaves an org, or declines its invitation.

import { fault, notFound } from '../../../actors/faults.ts';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { route, visitor } from '../../call/route.ts';
import { membershipsOf } from '../../call/session/memberships.ts';
import { noSessionCookie } from '../../call/session/session-cookie.ts';
import { isSession } from './session-answer.ts';
import { setCookieHeader } from './set-cookie.ts';

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
