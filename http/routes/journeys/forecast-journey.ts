// What a journey would have caught in the last days.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../route.ts';

const count = z.int().min(0);

export const forecastJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/:id/forecast',
  summary: 'Forecast a journey from the past',
  description:
    'Replays the app’s own events of the last `days` × 24 hours through the steps as they are, draft or live, by the code that moves people in a live journey. Nothing is sent. Exact for a journey that an event triggers; what is of today rather than of then, `note` says.',
  tag: 'Journeys',
  access: key('read'),
  lane: 'standard',
  params: { id: 'Id of the journey.' },
  body: z
    .object({ days: integerRange(1, limits.windowDaysMax) })
    .meta({ examples: [{ days: 30 }] }),
  responses: {
    200: {
      description: 'What would have happened.',
      schema: z
        .object({
          days: z.int(),
          enrolled: count,
          sends: z.object({
            total: count,
            byDay: z
              .array(z.object({ day: z.iso.date(), sends: count }))
              .describe('Days of UTC, oldest first; the first and the last are parts of days.'),
          }),
          converted: count,
          completed: count,
          exited: count,
          inFlow: count.describe('Who would be under way now.'),
          note: z.string(),
        })
        .meta({
          examples: [
            {
              days: 1,
              enrolled: 42,
              sends: {
                total: 57,
                byDay: [
                  { day: '2026-09-20', sends: 21 },
                  { day: '2026-09-21', sends: 36 },
                ],
              },
              converted: 9,
              completed: 30,
              exited: 0,
              inFlow: 3,
              note: 'Events are those of then; tags are those of today.',
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const question = { id: call.param('id'), days: call.body.days };
    const forecast = await call.to<JourneysProtocol>(call.app()).ask('journey.forecast', question);
    const { sends } = forecast;
    const body = { ...forecast, sends: { ...sends, byDay: [...sends.byDay] } };
    return { status: 200, body };
  },
});
