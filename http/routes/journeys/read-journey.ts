// Reads one journey.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';
import { journeySchema, journeyView } from './journey-shape.ts';

export const readJourney = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys/:id',
  summary: 'Read a journey',
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey'],
  lane: 'standard',
  params: { id: 'Journey id.' },
  responses: { 200: { description: 'The journey.', schema: journeySchema } },
  refusals: [404],
  async handle(call) {
    const journey = await call
      .to<JourneysProtocol>(call.app())
      .ask('journey.read', { id: call.param('id') });
    return { status: 200, body: journeyView(journey) };
  },
});
