// The wire shape of a campaign. Fields are checked alone here; the actor checks them together, with
// the message and segment they name (`actors/programs/campaigns/validation.ts`). Source:
// specification, "Campaign"; contract, section 6.

import { z } from 'zod';
import { clientNameProblem } from '../../../actors/events/ingest/names.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type {
  AdvisedCampaign,
  CampaignChange,
  CampaignInput,
} from '../../../actors/programs/campaigns/protocol.ts';
import { campaignEtag, campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { present } from '../../call/answer/present.ts';
import { alsoCalled } from '../../call/body/unknown-members.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  belongsElsewhere,
  channelsSchema,
  etagSchema,
  instant,
  instantSchema,
  nameSchema,
} from '../../call/schemas/schemas.ts';
import { guardPatch } from '../campaign-guard-shape.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { warningsSchema, warningsView } from '../warnings-shape.ts';
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
  'The saved message to send. It needs a title if `channels` or `fallbackChannels` include email, fcm, apns or webpush, and `payload.whatsapp` if they include whatsapp.',
);

const onMessages = belongsElsewhere(
  'a campaign sends a saved message; create it with POST /v1/apps/{appId}/messages and pass its messageId here',
);
/** Listed first, so that a body without a message gets its fault about these. */
const noTemplate = { templateName: onMessages, templateId: onMessages };

const variantName = z
  .string()
  .max(campaignVariantIdCharsMax)
  .regex(/^[A-Za-z0-9_.-]+$/, 'expected letters, digits, _ . -');

const variantMembers = {
  weight: integerRange(1, campaignWeightMax).describe(
    "Relative weight: the variant's share is its weight divided by the sum of all weights.",
  ),
  messageId: idText.describe('The message this variant sends.'),
};

/** Named by `id`, or by `key` as variants of flags are. */
const variantBody = z
  .object({
    ...noTemplate,
    id: variantName.nullish().describe('Names the variant in lists and stats.'),
    key: variantName.nullish().describe('The same as `id`; give one of them.'),
    ...variantMembers,
  })
  .superRefine(({ id, key }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (id == null && key == null) fault('id', 'is required; `key` is accepted as well');
    else if (id != null && key != null && id !== key)
      fault('key', `is the same as id, which says ${id}; give one of them`);
  });

const variantsBody = z
  .array(variantBody)
  .min(campaignVariantsMin)
  .max(campaignVariantsMax)
  .superRefine((variants, context) => {
    const seen = new Set<string>();
    for (const [i, one] of variants.entries()) {
      const name = nameOfVariant(one);
      const path = [i, one.id == null ? 'key' : 'id'];
      if (seen.has(name)) context.addIssue({ code: 'custom', path, message: 'appears twice' });
      seen.add(name);
    }
  });

function nameOfVariant({ id, key }: Pick<z.output<typeof variantBody>, 'id' | 'key'>): string {
  return id ?? key ?? '';
}

const aShare = 'is a share between 0 and 1, such as 0.2 for 20 %';

const experiment = z.object({
  sampleShare: z
    .number()
    .gt(0, aShare)
    .lt(1, aShare)
    .describe('Share of the audience that gets the variants during the test.'),
  winnerMetric: z
    .enum(['opened', 'clicked', 'converted'])
    .describe('How the winner is chosen. `converted` counts the `goal`.'),
  decideAfterMinutes: integerRange(1, experimentMinutesMax).describe(
    'Minutes until the winner is chosen and sent to the rest.',
  ),
});

const goal = z.object({
  event: z
    .string()
    .normalize()
    .superRefine((name, context) => {
      const problem = clientNameProblem(name);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
  withinHours: integerRange(1, goalHoursMax).describe("Measured from each person's own send."),
});

const members = {
  segmentId: idText
    .nullish()
    .describe(
      "The audience: the segment's members at send time. Without it and without `filter`: everyone. People without an enabled device on one of the channels count as suppressed, `no_device`; those who opted out of all of them, `opt_out`.",
    ),
  filter: filterSchema
    .nullish()
    .describe('The audience: people who match at send time. Cannot be combined with `segmentId`.'),
  topic: idText
    .nullish()
    .describe(
      'The key of the topic that the campaign is about. People who are out of it, or have not confirmed it, get nothing and count as suppressed, `topic_opt_out`.',
    ),
  channels: channelsSchema
    .nullish()
    .describe('Send on these channels only; on every enabled device if omitted.'),
  fallbackChannels: channelsSchema
    .nullish()
    .describe(
      'Anyone who has not opened or clicked after `fallbackAfterMinutes` also gets the message on these channels. Needs `channels`, and must not overlap them. Cannot be combined with `timezoneDelivery` or `optimalTime`.',
    ),
  fallbackAfterMinutes: integerRange(fallbackMinutesMin, fallbackMinutesMax)
    .nullish()
    .describe(
      'Required with `fallbackChannels`. The fallback waits for people held by quiet hours or the daily cap; for them the minutes count from their own send. On a recurring schedule, at most half the period.',
    ),
  schedule: scheduleSchema.nullish(),
  timezoneDelivery: z
    .object({ at: localTimeSchema })
    .nullish()
    .describe(
      'Send to each person at this time in their own time zone; the next day if it has already passed.',
    ),
  optimalTime: z
    .boolean()
    .nullish()
    .describe(
      'Send to each person at the hour they usually open messages. Cannot be combined with `timezoneDelivery`.',
    ),
  throttle: z
    .object({ perMinute: integerRange(1, campaignPerMinuteMax) })
    .nullish()
    .describe('Send rate limit: at most this many people per minute.'),
  variants: variantsBody
    .nullish()
    .describe(
      'A/B variants. The audience is split among them; each person always gets the same one.',
    ),
  experiment: experiment
    .nullish()
    .describe('Send the variants to a sample, then the best one to the rest. Needs `variants`.'),
  holdoutShare: z
    .number()
    .min(0, aShare)
    .lt(1, aShare)
    .nullish()
    .describe('Control group: this share of the audience gets nothing, for comparison.'),
  goal: goal.nullish().describe('What counts as a conversion.'),
  guard: guardPatch
    .nullish()
    .describe(
      "When the campaign pauses itself. Each field replaces the one of the app's `campaignGuard`. `null` turns the guard off for this campaign; `{}` uses the app's. You can change it until the campaign has ended.",
    ),
  ifLate: z
    .enum(['send', 'skip', 'hold'])
    .nullish()
    .describe(
      'What happens if a scheduled time is missed by more than two hours. `hold` pauses the campaign and sets `stateReason`. Default `hold`.',
    ),
};

const name = nameSchema
  .nullish()
  .describe('For your own use; recipients never see it. Default: the name of the message.');

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
    weekdays: ['mon' as const, 'thu' as const],
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

/** Without one of these a campaign reaches others, more, sooner, or with another message. */
export const narrowingFields: ReadonlySet<string> = new Set([
  'messageId',
  'segmentId',
  'filter',
  'topic',
  'channels',
  'schedule',
  'timezoneDelivery',
  'optimalTime',
  'throttle',
  'variants',
  'experiment',
  'holdoutShare',
]);

/** Without one of these it reaches fewer people, or counts less. */
export const advisedFields: ReadonlySet<string> = new Set([
  'fallbackChannels',
  'fallbackAfterMinutes',
  'goal',
  'guard',
  'ifLate',
]);

/** Names that other products use. */
const otherNames = {
  audience: 'segmentId',
  conditions: 'filter',
  sendAt: 'schedule',
  deliverAt: 'schedule',
  startAt: 'schedule',
  cap: 'throttle',
  limit: 'throttle',
  rateLimit: 'throttle',
  caps: 'throttle',
  dailyCap: 'throttle',
  throttling: 'throttle',
  holdoutPercent: 'holdoutShare',
  holdout: 'holdoutShare',
  recipients: 'filter',
  subscriberIds: 'filter',
  externalUserIds: 'filter',
  users: 'filter',
  perMinute: 'throttle',
};

export const campaignBody = alsoCalled(
  z
    .object({ ...noTemplate, name, messageId, ...members })
    .meta({ examples: [exampleChosen, { messageId: exampleIds.message }] }),
  otherNames,
);

export const campaignPatch = alsoCalled(
  z
    .object({ ...noTemplate, name, messageId: messageId.optional(), ...members })
    .meta({ examples: [{ throttle: { perMinute: 5_000 }, holdoutShare: null }] }),
  otherNames,
);

export const campaignSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    messageId: z.string(),
    segmentId: z.string().nullable(),
    filter: filterSchema.nullable(),
    topic: z.string().nullable(),
    channels: channelsSchema.nullable(),
    fallbackChannels: channelsSchema.nullable(),
    fallbackAfterMinutes: z.int().nullable(),
    schedule: scheduleSchema,
    timezoneDelivery: z.object({ at: z.string() }).nullable(),
    optimalTime: z.boolean(),
    throttle: z.object({ perMinute: z.int() }).nullable(),
    variants: z
      .array(z.object({ id: variantName, key: variantName, ...variantMembers }))
      .nullable()
      .describe('`key` is the same as `id`.'),
    experiment: experiment.nullable(),
    holdoutShare: z.number(),
    goal: z.object({ event: z.string(), withinHours: z.int() }).nullable(),
    guard: guardPatch
      .nullable()
      .describe('Replaces fields of the `campaignGuard` of the app; `null`: it is off.'),
    ifLate: z.enum(['send', 'skip', 'hold']),
    state: z.enum(campaignStates),
    stateReason: z
      .string()
      .nullable()
      .describe(
        'Why the campaign is in this state, if you did not cause it, such as `late` or `guard_bounces`.',
      ),
    pausedFrom: z
      .enum(['scheduled', 'sending'])
      .nullable()
      .describe('While paused: the state that `resume` returns to.'),
    nextAt: instantSchema.nullable().describe('When the next occurrence starts.'),
    undoUntil: instantSchema
      .nullable()
      .describe(
        'After a `send` with `delaySeconds`: when it begins. Until then `unschedule` makes it a draft again, and nothing has been sent. Otherwise `null`.',
      ),
    startedAt: instantSchema.nullable().describe('When the first occurrence started.'),
    endedAt: instantSchema.nullable(),
    archivedAt: instantSchema.nullable().describe('When the campaign was archived.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
    ...warningsSchema,
  })
  .meta({
    id: 'Campaign',
    examples: [
      {
        id: exampleIds.campaign,
        ...exampleChosen,
        variants: exampleChosen.variants.map((one) => ({ ...one, key: one.id })),
        filter: null,
        topic: null,
        timezoneDelivery: null,
        optimalTime: false,
        throttle: null,
        experiment: null,
        guard: {},
        state: 'draft',
        stateReason: null,
        pausedFrom: null,
        nextAt: null,
        undoUntil: null,
        startedAt: null,
        endedAt: null,
        archivedAt: null,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

type Patch = z.output<typeof campaignPatch>;

/** A body in the actor's form; a `null` field counts as absent. */
export function campaignInput({
  schedule,
  variants,
  templateName: _name,
  templateId: _id,
  guard,
  ...rest
}: Patch): CampaignInput {
  const chosen = variants?.map((one) => ({
    id: nameOfVariant(one),
    weight: one.weight,
    messageId: one.messageId,
  }));
  return {
    ...given({ ...rest, variants: chosen }),
    ...(schedule == null ? {} : { schedule: scheduleOf(schedule) }),
    ...(guard === undefined ? {} : { guard: guard && present(guard) }),
  };
}

/** `null` removes a field, but turns a guard off. */
export function campaignChange(body: Patch): CampaignChange {
  const { templateName: _name, templateId: _id, ...members } = body;
  const names = Object.keys(members) as (keyof typeof members)[];
  const removed = names.filter((member) => body[member] === null && member !== 'guard');
  return { input: campaignInput(body), removed };
}

export function campaignView(campaign: AdvisedCampaign): z.output<typeof campaignSchema> {
  const { channels, fallbackChannels, variants, startedMs, endedMs, nextMs } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    messageId: campaign.messageId,
    segmentId: campaign.segmentId ?? null,
    filter: (campaign.filter ?? null) as Record<string, unknown> | null,
    topic: campaign.topic ?? null,
    channels: channels === undefined ? null : [...channels],
    fallbackChannels: fallbackChannels === undefined ? null : [...fallbackChannels],
    fallbackAfterMinutes: campaign.fallbackAfterMinutes ?? null,
    schedule: scheduleView(campaign.schedule),
    timezoneDelivery: campaign.timezoneDelivery ?? null,
    optimalTime: campaign.optimalTime ?? false,
    throttle: campaign.throttle ?? null,
    variants: variants?.map((one) => ({ ...one, key: one.id })) ?? null,
    experiment: campaign.experiment ?? null,
    holdoutShare: campaign.holdoutShare ?? 0,
    goal: campaign.goal ?? null,
    guard: campaign.guard === undefined ? {} : campaign.guard,
    ifLate: campaign.ifLate,
    state: campaign.state,
    stateReason: campaign.stateReason ?? null,
    pausedFrom: campaign.pausedFrom ?? null,
    nextAt: instantOrNull(nextMs),
    undoUntil: instantOrNull(campaign.undoMs),
    startedAt: instantOrNull(startedMs),
    endedAt: instantOrNull(endedMs),
    archivedAt: instantOrNull(campaign.archivedMs),
    etag: campaignEtag(campaign),
    createdAt: instant(campaign.createdMs),
    updatedAt: instant(campaign.updatedMs),
    ...warningsView(campaign),
  };
}

function instantOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : instant(ms);
}

function given<T extends object>(
  value: T,
): { readonly [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const kept = Object.entries(value).filter(([, member]) => member != null);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
