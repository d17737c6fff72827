// Makes a second journey like a first.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';
import { duplicateBody, duplicateNamed } from '../duplicate-body.ts';
import { journeySchema, journeyView } from './journey-shape.ts';

export const duplicateJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/:id/duplicate',
  summary: 'Duplicate a journey',
  description:
    'Creates a journey with the same trigger and steps. It is not active, whether or not the original is. The body is optional.',
  tag: 'Journeys',
  access: key('write'),
  changes: ['journey'],
  lane: 'standard',
  params: { id: 'Journey id.' },
  body: duplicateBody,
  optionalBody: true,
  creates: { kind: 'journey.duplicate', prefix: 'jrn', read: '/v1/apps/:appId/journeys/:id' },
  responses: { 201: { description: 'The new journey, not active.', schema: journeySchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call
      .to<JourneysProtocol>(call.app())
      .ask('journey.duplicate', { id: call.param('id'), ...duplicateNamed(call.body) });
    return { status: 201, body: journeyView(made) };
  },
});
