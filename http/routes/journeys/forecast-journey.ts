// Forecasts a journey: who would have enrolled in the last days.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';

const count = z.int().min(0);

export const forecastJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/:id/forecast',
  summary: 'Forecast a journey from past events',
  description:
    "Replays the app's events of the last `days` × 24 hours through the journey's current steps, draft or live, with the same code that runs live journeys. Nothing is sent. Exact for event-triggered journeys; `note` says where current data stood in for past data.",
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey', 'subscriber'],
  params: { id: 'Journey id.' },
  body: z
    .object({ days: integerRange(1, limits.windowDaysMax) })
    .meta({ examples: [{ days: 30 }] }),
  responses: {
    200: {
      description: 'The forecast.',
      schema: z
        .object({
          days: z.int(),
          enrolled: count,
          sends: z.object({
            total: count,
            byDay: z
              .array(z.object({ day: z.iso.date(), sends: count }))
              .describe('UTC days, oldest first; the first and the last may be partial.'),
          }),
          bySteps: z
            .record(
              z.string(),
              z.object({
                entered: count,
                sent: count,
                enteredByDay: z.array(count),
                sentByDay: z.array(count),
              }),
            )
            .describe('By step id. The days are those of `sends.byDay`, in the same order.'),
          converted: count,
          completed: count,
          exited: count,
          inFlow: count.describe('People who would be in the journey now.'),
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
              bySteps: {
                welcome: { entered: 42, sent: 40, enteredByDay: [15, 27], sentByDay: [15, 25] },
                'a day': { entered: 42, sent: 0, enteredByDay: [15, 27], sentByDay: [0, 0] },
                nudge: { entered: 17, sent: 17, enteredByDay: [6, 11], sentByDay: [6, 11] },
              },
              converted: 9,
              completed: 30,
              exited: 0,
              inFlow: 3,
              note: 'Events are historical; tags are current.',
            },
          ],
        }),
    },
  },
  async handle(call) {
    const question = { id: call.param('id'), days: call.body.days };
    const forecast = await call.to<JourneysProtocol>(call.app()).ask('journey.forecast', question);
    const { sends } = forecast;
    const bySteps = Object.fromEntries(
      Object.entries(forecast.bySteps).map(([step, { entered, sent, enteredByDay, sentByDay }]) => [
        step,
        { entered, sent, enteredByDay: [...enteredByDay], sentByDay: [...sentByDay] },
      ]),
    );
    const body = { ...forecast, bySteps, sends: { ...sends, byDay: [...sends.byDay] } };
    return { status: 200, body };
  },
});
