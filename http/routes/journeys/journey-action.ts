// The routes that put a journey away and take it back.

import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, type Route, route } from '../../call/route.ts';
import { journeySchema, journeyView } from './journey-shape.ts';

/** The response is the changed journey. */
export function journeyAction(
  action: 'archive' | 'unarchive',
  declaration: Pick<Route, 'summary' | 'description'>,
) {
  return route({
    ...declaration,
    method: 'POST',
    path: `/v1/apps/:appId/journeys/:id/${action}`,
    tag: 'Journeys',
    access: key('write'),
    changes: ['journey'],
    lane: 'standard',
    edits: `journey.${action}`,
    params: { id: 'Journey id.' },
    responses: { 200: { description: 'The updated journey.', schema: journeySchema } },
    refusals: [404, 409],
    async handle(call) {
      const journey = await call
        .to<JourneysProtocol>(call.app())
        .ask(`journey.${action}`, { id: call.param('id') });
      return { status: 200, body: journeyView(journey) };
    },
  });
}
