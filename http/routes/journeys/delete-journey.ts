// Forgets a journey that is not live.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../route.ts';

export const deleteJourney = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/journeys/:id',
  summary: 'Delete a journey',
  description:
    '409 while it is live; pause it first. Whoever is under way, its figures and the copies of what it sends go with it; the events of people stay.',
  tag: 'Journeys',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the journey.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<JourneysProtocol>(call.app()).ask('journey.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
