// What would happen to one person in a journey, without anything happening.

import { z } from 'zod';
import { nameCharsMax } from '../../../actors/events/names.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { key, route } from '../../route.ts';
import { instant, instantSchema, instantText } from '../../schemas.ts';
import { ofPersonNamed, personNamed, personParam } from '../audience/subscriber-view.ts';

const whats = [
  'enrolled',
  'entered',
  'event',
  'branched',
  'waits',
  'sent',
  'held',
  'suppressed',
  'timed_out',
  'completed',
  'converted',
] as const;

export const simulateJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/:id/simulate',
  summary: 'Simulate a journey for one person',
  description:
    'Walks one person through the steps on a virtual clock, by the code that moves people in a live journey: nothing is sent or recorded, and the journey need not be live. With a person, conditions see their tags, devices and events, and the `events` of the call as they come; quiet hours, preferences and frequency caps are asked at the instants of the walk, as they are set now. Without one, somebody new whom every channel reaches. The daily send cap is not asked.',
  tag: 'Journeys',
  access: key('read'),
  lane: 'standard',
  params: { id: 'Id of the journey.' },
  body: z
    .object({
      subscriberId: z.string().min(1).max(512).nullish().describe(personParam),
      events: z
        .array(
          z.object({
            name: z.string().min(1).max(nameCharsMax),
            afterMinutes: integerRange(0, 366 * 1440),
          }),
        )
        .max(limits.simulatedEventsMax)
        .nullish()
        .describe('What the person does after they enrolled.'),
      fromTime: instantText
        .nullish()
        .describe('When they enrol; now unless given, and within a year from now.'),
    })
    .meta({
      examples: [
        { subscriberId: exampleIds.subscriber, events: [{ name: 'order', afterMinutes: 1_500 }] },
        {},
      ],
    }),
  optionalBody: true,
  responses: {
    200: {
      description: 'What would happen, line by line.',
      schema: z
        .object({
          outcome: z
            .enum(['completed', 'converted', 'waits'])
            .describe('`waits` where somebody is held again and again and no end was found.'),
          steps: z.array(
            z.object({
              at: instantSchema,
              what: z.enum(whats),
              step: z.string().optional(),
              until: instantSchema.optional().describe('Of a wait, a goal and a held send.'),
              reason: z.string().optional().describe('Of what is held or suppressed.'),
              branch: z.enum(['then', 'else']).optional().describe('The way of a condition.'),
              event: z.string().optional(),
            }),
          ),
        })
        .meta({
          examples: [
            {
              outcome: 'completed',
              steps: [
                { at: exampleInstant(), what: 'enrolled' },
                { at: exampleInstant(), what: 'entered', step: 'welcome' },
                { at: exampleInstant(), what: 'sent', step: 'welcome' },
                { at: exampleInstant(), what: 'entered', step: 'a day' },
                {
                  at: exampleInstant(),
                  what: 'waits',
                  step: 'a day',
                  until: exampleInstant(86_400),
                },
                { at: exampleInstant(86_400), what: 'entered', step: 'pro?' },
                { at: exampleInstant(86_400), what: 'branched', step: 'pro?', branch: 'then' },
                { at: exampleInstant(86_400), what: 'completed' },
              ],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { subscriberId, events, fromTime } = call.body;
    const asking = call.to<JourneysProtocol>(call.app()).ask('journey.simulate', {
      id: call.param('id'),
      events: events ?? [],
      ...(subscriberId == null ? {} : { ref: personNamed(subscriberId) }),
      ...(fromTime == null ? {} : { fromMs: Date.parse(fromTime) }),
    });
    const { lines, outcome } = await (subscriberId == null ? asking : ofPersonNamed(asking));
    const steps = lines.map(({ atMs, untilMs, ...rest }) => ({
      at: instant(atMs),
      ...rest,
      ...(untilMs === undefined ? {} : { until: instant(untilMs) }),
    }));
    return { status: 200, body: { outcome: outcome.kind, steps } };
  },
});
