// Reads the session of a browser. Without one that is no error, so that a page can ask first.

import { route, visitor } from '../../call/route.ts';
import { hasOrg } from '../../call/session/memberships.ts';
import { isSession, sessionAnswer } from './session-answer.ts';
import { visitSchema } from './session-shape.ts';

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
