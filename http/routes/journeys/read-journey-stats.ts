// What a journey came to, as of this moment.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../route.ts';
import { journeyStatsSchema, journeyStatsView } from './journey-shape.ts';

export const readJourneyStats = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys/:id/stats',
  summary: 'Read the stats of a journey',
  description: 'Counted as people move, so exact. `bySteps` has the steps as they are now.',
  tag: 'Journeys',
  access: key('read'),
  lane: 'standard',
  params: { id: 'Id of the journey.' },
  responses: { 200: { description: 'The stats.', schema: journeyStatsSchema } },
  refusals: [404],
  async handle(call) {
    const stats = await call
      .to<JourneysProtocol>(call.app())
      .ask('journey.stats', { id: call.param('id') });
    return { status: 200, body: journeyStatsView(stats) };
  },
});
