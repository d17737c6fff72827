// Lists the journeys of an app.

import { z } from 'zod';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { journeySchema, journeyView } from './journey-shape.ts';

export const listJourneys = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys',
  summary: 'List journeys',
  tag: 'Journeys',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    active: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true` for live journeys only, `false` for the others.'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'Journeys, oldest first. A page of long journeys may have fewer than `limit`.',
      schema: pageWithExample(journeySchema),
    },
  },
  refusals: [404],
  async handle(call) {
    const { active, limit, cursor } = call.query;
    const only = active === undefined ? {} : { active: active === 'true' };
    const question = { ...only, ...present({ limit, cursor }) };
    const page = await call.to<JourneysProtocol>(call.app()).ask('journey.list', question);
    return { status: 200, body: { ...page, items: page.items.map(journeyView) } };
  },
});
