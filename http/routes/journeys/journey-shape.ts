// The wire shape of a journey. The schema accepts any object as a step and only describes the
// kinds. The actor, which knows the app, checks steps and fields together
// (`actors/programs/journeys/author.ts`). Source: specification, "Journey"; contract, section 8.

import { z } from 'zod';
import { contentInputFields } from '../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneyChange, JourneyInput } from '../../../actors/programs/journeys/protocol.ts';
import {
  type JourneyRecord,
  journeyEtag,
  reentries,
} from '../../../actors/programs/journeys/records.ts';
import type { JourneyStats } from '../../../actors/programs/journeys/stats.ts';
import { membersOf } from '../../call/body/unknown-members.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { warningsSchema, warningsView } from '../warnings-shape.ts';
import { stepKinds, stepMembers } from './step-description.ts';

/** Messages in the steps: what the reference shows runs in any app. */
export const exampleSteps = [
  {
    id: 'welcome',
    type: 'send',
    message: {
      title: 'Welcome',
      body: 'Good that you are here, {{ first_name | default: "friend" }}.',
    },
  },
  { id: 'a day', type: 'wait', days: 1 },
  {
    id: 'pro?',
    type: 'condition',
    filter: { tag: 'plan', eq: 'pro' },
    then: [],
    else: [
      { id: 'order', type: 'goal', event: 'order', timeoutHours: 48 },
      {
        id: 'nudge',
        type: 'send',
        message: { title: 'Still looking?', body: 'Your first order ships for free.' },
        channels: ['email'],
      },
    ],
  },
];

const describedStep = z
  .record(z.string(), z.unknown())
  .describe('One step; `type` sets what it does.')
  .meta({ id: 'JourneyStep', anyOf: stepKinds, examples: exampleSteps });

/** The members of a step's message; the actor checks their values. */
export const messageOfStep = z.object({
  ...contentInputFields,
  templateName: z.unknown(),
  templateId: z.unknown(),
});

const stepSchema = membersOf(describedStep, ({ type }) => stepMembers(type), {
  then: 'same',
  else: 'same',
  filter: filterSchema,
  message: messageOfStep,
});

const steps = z
  .array(stepSchema)
  .describe(
    `The steps in order: 1 to ${limits.journeyStepsMax}, including steps in branches. Conditions nest to ${limits.journeyNestingMax} levels. Errors name the step's path and id.`,
  );

const triggerEvent = z
  .string()
  .normalize()
  .nullish()
  .describe(
    "Anyone who does this event is enrolled immediately: an event of your own, one that clients send, such as `opened`, or a receipt; none that begins with `journey_`. Receipts of journeys' sends enroll nobody. Give this or `triggerSegmentId`.",
  );
const triggerSegmentId = z
  .string()
  .min(1)
  .max(64)
  .nullish()
  .describe('Anyone who enters this segment after activation is enrolled.');
const reentry = z
  .enum(reentries)
  .nullish()
  .describe(
    '`once` (default): each person is enrolled at most once ever. `always`: people are enrolled again after they finish. Nobody is enrolled twice at the same time.',
  );

export const journeyBody = z
  .object({
    name: nameSchema,
    triggerEvent,
    triggerSegmentId,
    reentry,
    steps,
    active: z
      .literal(false, 'create the journey first, then activate it with PATCH and active: true')
      .nullish(),
  })
  .meta({
    examples: [
      { name: 'Welcome', triggerEvent: 'signup', reentry: 'once', steps: exampleSteps },
      {
        name: 'New professionals',
        triggerSegmentId: exampleIds.segment,
        steps: [
          { id: 'hello', type: 'send', messageId: exampleIds.message },
          { id: 'a week', type: 'wait', days: 7 },
          { id: 'more', type: 'send', messageId: exampleIds.otherMessage, channels: ['fcm'] },
        ],
      },
    ],
  });

/** Without one of these a journey reaches more people, more often, or beside an older one. */
export const narrowingMembers: ReadonlySet<string> = new Set([
  'triggerEvent',
  'triggerSegmentId',
  'reentry',
  'steps',
  'replaces',
]);

/** Also switches it on or off. */
export const journeyPatch = z
  .object({
    name: nameSchema.optional(),
    triggerEvent,
    triggerSegmentId,
    reentry,
    steps: steps.optional(),
    active: z
      .boolean()
      .nullish()
      .describe(
        '`true` activates the journey. `false` pauses it; people in flight exit at their next wake.',
      ),
    confirmWarnings: z
      .boolean()
      .nullish()
      .describe(
        'With `active: true`: activates even if `warnings` lists misspelled fields; without it, that is a 409.',
      ),
    enrollExisting: z
      .boolean()
      .nullish()
      .describe('With `active: true`: also enrolls the people who are in the segment now.'),
    replaces: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .describe(
        'With `active: true`: the id of a live journey that is paused at the same time, so every event starts exactly one of the two.',
      ),
  })
  .meta({ examples: [{ name: 'Welcome aboard', reentry: 'always' }, { active: true }] });

export const journeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    triggerEvent: z.string().nullable(),
    triggerSegmentId: z.string().nullable(),
    reentry: z.enum(reentries),
    steps: z.array(stepSchema),
    active: z.boolean(),
    replacedBy: z
      .string()
      .nullable()
      .describe(
        'The journey that replaced it, which may have been deleted since. `null` again once this one is activated.',
      ),
    archivedAt: instantSchema.nullable().describe('When the journey was archived.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
    ...warningsSchema,
  })
  .meta({
    id: 'Journey',
    examples: [
      {
        id: exampleIds.journey,
        name: 'Welcome',
        triggerEvent: 'signup',
        triggerSegmentId: null,
        reentry: 'once',
        steps: exampleSteps,
        active: true,
        replacedBy: null,
        archivedAt: null,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

const count = z.int().min(0);

const noAnswers = {
  ...{ entered: 0, waiting: 0, sent: 0, delivered: 0, opened: 0, clicked: 0, converted: 0 },
  ...{ bounced: 0, failed: 0, suppressed: 0, suppressedBy: {} },
};

/** People, counted once per enrollment. */
export const journeyStatsSchema = z
  .object({
    enrolled: count,
    inFlow: count.describe(
      'People in the journey now, including those who will exit at their next wake.',
    ),
    completed: count,
    converted: count,
    exited: count.describe('People who exited because the journey was paused or they were erased.'),
    bySteps: z
      .record(
        z.string(),
        z.object({
          entered: count,
          waiting: count,
          sent: count.describe('Sends of this step; a send to several devices counts once.'),
          delivered: count.describe(
            'Sends that a provider accepted on some device. A later bounce moves a send to `bounced`.',
          ),
          opened: count,
          clicked: count,
          converted: count.describe(
            'At a send: sends of the run in which the person reached a goal. At a goal: people who reached it.',
          ),
          bounced: count,
          failed: count,
          suppressed: count,
          suppressedBy: z
            .record(z.string(), count)
            .describe('Suppressed sends by reason, such as `no_device`.'),
        }),
      )
      .describe(
        'A late receipt, open or click counts for the newest send of its step to that person.',
      ),
  })
  .meta({
    id: 'JourneyStats',
    examples: [
      {
        enrolled: 120,
        inFlow: 30,
        completed: 70,
        converted: 18,
        exited: 2,
        bySteps: {
          welcome: {
            ...{ ...noAnswers, entered: 120, sent: 117, delivered: 115, opened: 61, clicked: 22 },
            ...{ converted: 14, bounced: 2, suppressed: 3, suppressedBy: { no_device: 3 } },
          },
          'a day': { ...noAnswers, entered: 120, waiting: 22 },
          'pro?': { ...noAnswers, entered: 96 },
          order: { ...noAnswers, entered: 64, waiting: 8, converted: 18 },
          nudge: { ...noAnswers, entered: 38, sent: 38, delivered: 38, opened: 12, converted: 4 },
        },
      },
    ],
  });

type Chosen = Omit<
  z.output<typeof journeyPatch>,
  'active' | 'enrollExisting' | 'replaces' | 'confirmWarnings'
>;

/** A body in the actor's form; a `null` field counts as absent. */
export function journeyInput(body: Chosen): JourneyInput {
  const { name, triggerEvent, triggerSegmentId, reentry, steps } = body;
  const members = { name, triggerEvent, triggerSegmentId, reentry, steps };
  const given = Object.entries(members).filter(([, value]) => value != null);
  return Object.fromEntries(given) as JourneyInput;
}

const removable = ['triggerEvent', 'triggerSegmentId', 'reentry'] as const;

/** `null` removes a field. */
export function journeyChange(body: Chosen): JourneyChange {
  return {
    input: journeyInput(body),
    removed: removable.filter((member) => body[member] === null),
  };
}

export function journeyView(journey: JourneyRecord): z.output<typeof journeySchema> {
  return {
    id: journey.id,
    name: journey.name,
    triggerEvent: journey.triggerEvent ?? null,
    triggerSegmentId: journey.triggerSegmentId ?? null,
    reentry: journey.reentry,
    steps: journey.steps as unknown as Record<string, unknown>[],
    active: journey.active,
    replacedBy: journey.replacedBy ?? null,
    archivedAt: journey.archivedMs === undefined ? null : instant(journey.archivedMs),
    etag: journeyEtag(journey),
    createdAt: instant(journey.createdMs),
    updatedAt: instant(journey.updatedMs),
    ...warningsView(journey),
  };
}

export function journeyStatsView(stats: JourneyStats): z.output<typeof journeyStatsSchema> {
  const bySteps = Object.entries(stats.bySteps).map(([id, { suppressedBy, ...counts }]) => [
    id,
    { ...counts, suppressedBy: { ...suppressedBy } },
  ]);
  return { ...stats, bySteps: Object.fromEntries(bySteps) };
}
