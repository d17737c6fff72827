// Deletes a journey that is not live.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteJourney = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/journeys/:id',
  summary: 'Delete a journey',
  description:
    'A live journey is a 409; pause it first. Enrollments in flight, its stats and the copies of its messages are deleted too; the events of people are kept.',
  tag: 'Journeys',
  access: key('write'),
  changes: ['journey', 'enrollment'],
  lane: 'standard',
  edits: 'journey.delete',
  params: { id: 'Journey id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<JourneysProtocol>(call.app()).ask('journey.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
