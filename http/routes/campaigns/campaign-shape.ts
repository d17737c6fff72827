// What a campaign is on the wire. Each member is judged here by itself; what members need of each
// other, and of the messages and the segment that they name, is judged by the actor once a change
// is merged in (`actors/programs/campaigns/judge.ts`). Source: specification, "Campaign"; contract,
// section 6.

import { z } from 'zod';
import { clientNameProblem } from '../../../actors/events/names.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { CampaignChange, CampaignInput } from '../../../actors/programs/campaigns/protocol.ts';
import { type CampaignRecord, campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import {
  belongsElsewhere,
  channelsSchema,
  instant,
  instantSchema,
  nameSchema,
} from '../../schemas.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { localTimeSchema, scheduleOf, scheduleSchema, scheduleView } from './schedule-shape.ts';

const {
  fallbackMinutesMin,
  fallbackMinutesMax,
  campaignVariantsMin,
  campaignVariantsMax,
  campaignVariantIdCharsMax,
  campaignWeightMax,
  campaignPerMinuteMax,
  experimentMinutesMax,
  goalHoursMax,
} = limits;

const idText = z.string().min(1).max(64);
const messageId = idText.describe(
  'The saved message to send. It needs a title where email, fcm, apns or webpush is named in `channels` or `fallbackChannels`, and `payload.whatsapp` where whatsapp is.',
);

const onMessages = belongsElsewhere(
  'a campaign sends a saved message; give it to POST /v1/apps/{id}/messages, and the messageId of its answer here',
);
/** First of all, so that they are what a body without a message is told of. */
const noTemplate = { templateName: onMessages, templateId: onMessages };

const variantMembers = {
  id: z
    .string()
    .max(campaignVariantIdCharsMax)
    .regex(/^[A-Za-z0-9_.-]+$/, 'expected letters, digits, _ . -'),
  weight: integerRange(1, campaignWeightMax).describe('Its share is this by the sum of all.'),
  messageId: idText.describe('What it sends.'),
};

const experiment = z.object({
  sampleShare: z.number().gt(0).lt(1).describe('Of the audience, this share gets the variants.'),
  winnerMetric: z
    .enum(['opened', 'clicked', 'converted'])
    .describe('`converted` counts the `goal`.'),
  decideAfterMinutes: integerRange(1, experimentMinutesMax).describe(
    'When the rest gets the variant that did best.',
  ),
});

const goal = z.object({
  event: z.string().superRefine((name, context) => {
    const problem = clientNameProblem(name);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  }),
  withinHours: integerRange(1, goalHoursMax).describe('Of a person’s own send.'),
});

const members = {
  segmentId: idText
    .nullish()
    .describe('Its members at the moment of sending. Without it and `filter`: everybody.'),
  filter: filterSchema
    .nullish()
    .describe('Who matches at the moment of sending; not together with `segmentId`.'),
  channels: channelsSchema
    .nullish()
    .describe('Only on these; on every device that is enabled unless given.'),
  fallbackChannels: channelsSchema
    .nullish()
    .describe(
      'Whoever has not opened or clicked after `fallbackAfterMinutes` gets it on these as well. Needs `channels`, and none of them; not with `timezoneDelivery` or `optimalTime`.',
    ),
  fallbackAfterMinutes: integerRange(fallbackMinutesMin, fallbackMinutesMax)
    .nullish()
    .describe('With `fallbackChannels`. At most half the period of a recurring schedule.'),
  schedule: scheduleSchema.nullish(),
  timezoneDelivery: z
    .object({ at: localTimeSchema })
    .nullish()
    .describe('Everybody at this time of their own day; a day later where it has passed.'),
  optimalTime: z
    .boolean()
    .nullish()
    .describe('Everybody at the hour at which they use to open. Not with `timezoneDelivery`.'),
  throttle: z
    .object({ perMinute: integerRange(1, campaignPerMinuteMax) })
    .nullish()
    .describe('At most so many people a minute.'),
  variants: z
    .array(z.object({ ...noTemplate, ...variantMembers }))
    .min(campaignVariantsMin)
    .max(campaignVariantsMax)
    .nullish()
    .describe('Messages that the audience is divided among; each person keeps theirs.'),
  experiment: experiment
    .nullish()
    .describe('A sample gets the variants, the rest the best of them. Needs `variants`.'),
  holdoutShare: z
    .number()
    .min(0)
    .lt(1)
    .nullish()
    .describe('Of the audience, this share gets nothing, to be compared with.'),
  goal: goal.nullish().describe('What counts as converted.'),
  ifLate: z
    .enum(['send', 'skip', 'hold'])
    .nullish()
    .describe(
      'What becomes of a schedule that was missed by more than two hours. `hold` pauses the campaign and says so. `hold` unless given.',
    ),
};

const name = nameSchema
  .nullish()
  .describe('For you; nobody who gets the message sees it. The name of the message unless given.');

const exampleChosen = {
  name: 'Spring sale',
  messageId: exampleIds.message,
  segmentId: exampleIds.segment,
  channels: ['webpush' as const, 'fcm' as const],
  fallbackChannels: ['email' as const],
  fallbackAfterMinutes: 120,
  schedule: {
    type: 'recurring' as const,
    every: 'week' as const,
    at: '09:30',
    weekdays: [0, 3],
    timezone: 'Asia/Bangkok',
  },
  variants: [
    { id: 'short', weight: 1, messageId: exampleIds.message },
    { id: 'long', weight: 1, messageId: exampleIds.otherMessage },
  ],
  holdoutShare: 0.05,
  goal: { event: 'order', withinHours: 48 },
  ifLate: 'skip' as const,
};

/** The body that makes a campaign. */
export const campaignBody = z
  .object({ ...noTemplate, name, messageId, ...members })
  .meta({ examples: [exampleChosen, { messageId: exampleIds.message }] });

/** The body that changes one. */
export const campaignPatch = z
  .object({ ...noTemplate, name, messageId: messageId.optional(), ...members })
  .meta({ examples: [{ throttle: { perMinute: 5_000 }, holdoutShare: null }] });

/** A campaign as every answer shows it. */
export const campaignSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    messageId: z.string(),
    segmentId: z.string().nullable(),
    filter: filterSchema.nullable(),
    channels: channelsSchema.nullable(),
    fallbackChannels: channelsSchema.nullable(),
    fallbackAfterMinutes: z.int().nullable(),
    schedule: scheduleSchema,
    timezoneDelivery: z.object({ at: z.string() }).nullable(),
    optimalTime: z.boolean(),
    throttle: z.object({ perMinute: z.int() }).nullable(),
    variants: z.array(z.object(variantMembers)).nullable(),
    experiment: experiment.nullable(),
    holdoutShare: z.number(),
    goal: z.object({ event: z.string(), withinHours: z.int() }).nullable(),
    ifLate: z.enum(['send', 'skip', 'hold']),
    state: z.enum(campaignStates),
    stateReason: z
      .string()
      .nullable()
      .describe('Why it stands there, where that is not your doing, such as `late`.'),
    pausedFrom: z
      .enum(['scheduled', 'sending'])
      .nullable()
      .describe('While it is paused, where `resume` leads back to.'),
    nextAt: instantSchema.nullable().describe('When the next occurrence begins.'),
    startedAt: instantSchema.nullable().describe('When the first occurrence began.'),
    endedAt: instantSchema.nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Campaign',
    examples: [
      {
        id: exampleIds.campaign,
        ...exampleChosen,
        filter: null,
        timezoneDelivery: null,
        optimalTime: false,
        throttle: null,
        experiment: null,
        state: 'draft',
        stateReason: null,
        pausedFrom: null,
        nextAt: null,
        startedAt: null,
        endedAt: null,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

type Patch = z.output<typeof campaignPatch>;

/** What a body chose, as the actor takes it; a member that is `null` is as if it were left out. */
export function campaignInput({
  schedule,
  variants,
  templateName: _name,
  templateId: _id,
  ...rest
}: Patch): CampaignInput {
  const chosen = variants?.map(({ id, weight, messageId }) => ({ id, weight, messageId }));
  return {
    ...given({ ...rest, variants: chosen }),
    ...(schedule == null ? {} : { schedule: scheduleOf(schedule) }),
  };
}

/** A change of a campaign: what is `null` goes. */
export function campaignChange(body: Patch): CampaignChange {
  const { templateName: _name, templateId: _id, ...members } = body;
  const names = Object.keys(members) as (keyof typeof members)[];
  return { input: campaignInput(body), removed: names.filter((member) => body[member] === null) };
}

/** A campaign as it goes out. */
export function campaignView(campaign: CampaignRecord): z.output<typeof campaignSchema> {
  const { channels, fallbackChannels, variants, startedMs, endedMs, nextMs } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    messageId: campaign.messageId,
    segmentId: campaign.segmentId ?? null,
    filter: (campaign.filter ?? null) as Record<string, unknown> | null,
    channels: channels === undefined ? null : [...channels],
    fallbackChannels: fallbackChannels === undefined ? null : [...fallbackChannels],
    fallbackAfterMinutes: campaign.fallbackAfterMinutes ?? null,
    schedule: scheduleView(campaign.schedule),
    timezoneDelivery: campaign.timezoneDelivery ?? null,
    optimalTime: campaign.optimalTime ?? false,
    throttle: campaign.throttle ?? null,
    variants: variants === undefined ? null : [...variants],
    experiment: campaign.experiment ?? null,
    holdoutShare: campaign.holdoutShare ?? 0,
    goal: campaign.goal ?? null,
    ifLate: campaign.ifLate,
    state: campaign.state,
    stateReason: campaign.stateReason ?? null,
    pausedFrom: campaign.pausedFrom ?? null,
    nextAt: instantOrNull(nextMs),
    startedAt: instantOrNull(startedMs),
    endedAt: instantOrNull(endedMs),
    createdAt: instant(campaign.createdMs),
    updatedAt: instant(campaign.updatedMs),
  };
}

function instantOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : instant(ms);
}

/** The members that have a value. */
function given<T extends object>(
  value: T,
): { readonly [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const kept = Object.entries(value).filter(([, member]) => member != null);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
