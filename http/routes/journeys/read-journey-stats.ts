// Reads the statistics of a journey, as of now.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';
import { journeyStatsSchema, journeyStatsView } from './journey-shape.ts';

export const readJourneyStats = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys/:id/stats',
  summary: "Read a journey's stats",
  description: 'Exact counts, updated as people move. `bySteps` lists the current steps.',
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey', 'enrollment', 'outcome'],
  params: { id: 'Journey id.' },
  responses: { 200: { description: 'The stats.', schema: journeyStatsSchema } },
  async handle(call) {
    const stats = await call
      .to<JourneysProtocol>(call.app())
      .ask('journey.stats', { id: call.param('id') });
    return { status: 200, body: journeyStatsView(stats) };
  },
});
