// Lists the journeys of an app.

import { z } from 'zod';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { journeySchema, journeyView } from './journey-shape.ts';

export const listJourneys = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys',
  summary: 'List journeys',
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey'],
  lane: 'standard',
  query: z.object({
    active: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true` for live journeys only, `false` for the others.'),
    archived: z
      .enum(['true', 'false', 'all'])
      .optional()
      .describe('`true` for archived journeys only, `all` for both. Default `false`.'),
    ...listQuery,
  }),
  responses: {
    200: {
      description: 'Journeys. A page of long journeys may have fewer than `limit`.',
      schema: countedPage(journeySchema),
    },
  },
  refusals: [404],
  async handle(call) {
    const { active, archived, ...page } = call.query;
    const put = { true: 'only', all: 'all', false: undefined } as const;
    const question = present({
      ...page,
      active: active === undefined ? undefined : active === 'true',
      archived: put[archived ?? 'false'],
    });
    const listed = await call.to<JourneysProtocol>(call.app()).ask('journey.list', question);
    return { status: 200, body: { ...listed, items: listed.items.map(journeyView) } };
  },
});
