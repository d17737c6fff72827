// Simulates a journey for one person, without side effects: a saved one, or the one in the request.

import { z } from 'zod';
import { nameCharsMax } from '../../../actors/events/ingest/names.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import type { Walk } from '../../../actors/programs/journeys/simulate.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema, instantText } from '../../call/schemas/schemas.ts';
import { ofPersonNamed, personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';
import { exampleSteps, journeyBody, journeyInput } from './journey-shape.ts';

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

/** Who walks, when, and what they do. */
const walkMembers = {
  subscriberId: z.string().min(1).max(512).nullish().describe(personParam),
  events: z
    .array(
      z.object({
        name: z.string().normalize().min(1).max(nameCharsMax),
        afterMinutes: integerRange(0, 366 * 1440),
      }),
    )
    .max(limits.simulatedEventsMax)
    .nullish()
    .describe('Events the person does after enrolling.'),
  fromTime: instantText
    .nullish()
    .describe('When the person enrolls, at most a year from now. Default: now.'),
};

const walkSchema = z
  .object({
    outcome: z
      .enum(['completed', 'converted', 'waits'])
      .describe('`waits` if the person is deferred repeatedly and the simulation was stopped.'),
    steps: z.array(
      z.object({
        at: instantSchema,
        what: z.enum(whats),
        step: z.string().optional(),
        until: instantSchema
          .optional()
          .describe('For a wait, a goal or a deferred send: when it ends.'),
        reason: z.string().optional().describe('Why a send is deferred or suppressed.'),
        branch: z.enum(['then', 'else']).optional().describe('The branch that a condition takes.'),
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
  });

export const simulateJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/:id/simulate',
  summary: 'Simulate a journey',
  description:
    'Runs one person through the steps on a virtual clock, with the same code that runs live journeys. Nothing is sent or recorded, and the journey need not be active. With a subscriber, conditions see their tags, devices and events, plus the `events` of the request as they happen; current quiet hours, preferences and frequency caps apply at the simulated times. Without one, the person is new and reachable on every channel. The daily send cap is not applied.',
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey', 'subscriber'],
  params: { id: 'Journey id.' },
  body: z.object(walkMembers).meta({
    examples: [
      { subscriberId: exampleIds.subscriber, events: [{ name: 'order', afterMinutes: 1_500 }] },
      {},
    ],
  }),
  optionalBody: true,
  responses: { 200: { description: 'What would happen, in order.', schema: walkSchema } },
  async handle(call) {
    const asking = call
      .to<JourneysProtocol>(call.app())
      .ask('journey.simulate', { id: call.param('id'), ...walkInput(call.body) });
    return { status: 200, body: await walkTold(call.body, asking) };
  },
});

export const simulateUnsaved = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys/simulate',
  summary: 'Simulate an unsaved journey',
  description:
    'As for a saved journey, but with the steps in the request. They are checked as when a journey is created, with the same errors. `name` and the trigger may be missing: the person is enrolled either way.',
  tag: 'Journeys',
  access: key('read'),
  reads: ['subscriber'],
  body: z.object({ ...journeyBody.partial({ name: true }).shape, ...walkMembers }).meta({
    examples: [{ steps: exampleSteps, events: [{ name: 'order', afterMinutes: 1_500 }] }],
  }),
  responses: { 200: { description: 'What would happen, in order.', schema: walkSchema } },
  refusals: [409],
  async handle(call) {
    const input = journeyInput(call.body);
    const asking = call
      .to<JourneysProtocol>(call.app())
      .ask('journey.simulate_unsaved', { input, ...walkInput(call.body) });
    return { status: 200, body: await walkTold(call.body, asking) };
  },
});

const walkRequest = z.object(walkMembers);
type WalkBody = z.output<typeof walkRequest>;

function walkInput({ subscriberId, events, fromTime }: WalkBody) {
  return {
    events: events ?? [],
    ...(subscriberId == null ? {} : { ref: personNamed(subscriberId) }),
    ...(fromTime == null ? {} : { fromMs: Date.parse(fromTime) }),
  };
}

async function walkTold({ subscriberId }: WalkBody, asking: Promise<Walk>) {
  const { lines, outcome } = await (subscriberId == null
    ? asking
    : ofPersonNamed(asking, subscriberId));
  const steps = lines.map(({ atMs, untilMs, ...rest }) => ({
    at: instant(atMs),
    ...rest,
    ...(untilMs === undefined ? {} : { until: instant(untilMs) }),
  }));
  return { outcome: outcome.kind, steps };
}
