// Ends every session of a person: their client tokens are invalid from now on.

import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { personParam } from './subscriber-view.ts';

export const endSubscriberSessions = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/:id/end-sessions',
  summary: "End a subscriber's sessions",
  description:
    'Ends every client token of this person, for example after a password change or a lost phone. Each client must log in again, which needs an `identityHash` unless the app has `identityVerification: "open"`. Devices stay registered. The request has no body.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber'],
  params: { id: personParam },
  responses: { 204: { description: 'Every session has ended.' } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    await call.to<IdentityProtocol>(call.app()).ask('subscriber.end_sessions', { ref });
    return { status: 204 };
  },
});
