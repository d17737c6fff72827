// Lifts an opt-out on every channel of its identity.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { channelSchema } from '../../call/schemas/schemas.ts';
import { addressQuery } from './suppression-view.ts';

export const deleteSuppression = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/suppressions',
  summary: 'Remove an opt-out',
  description: 'Name any channel of the identity; the opt-out is removed on all of them.',
  tag: 'Suppressions',
  access: key('write'),
  changes: ['suppression'],
  lane: 'standard',
  edits: 'suppression.remove',
  query: z.object({ channel: channelSchema, address: addressQuery }),
  responses: { 204: { description: 'Lifted.' } },
  refusals: [404],
  async handle(call) {
    const { channel, address } = call.query;
    await call.to<AudienceProtocol>(call.app()).ask('suppression.remove', { channel, address });
    return { status: 204 };
  },
});
