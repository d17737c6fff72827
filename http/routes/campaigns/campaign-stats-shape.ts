// The wire shape of a campaign's statistics: each person once at the top, devices below, and why a
// stalled campaign does not move. Source: contract, section 6.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import type { CampaignStats, Progress } from '../../../actors/programs/campaigns/protocol.ts';
import { ratesOf } from '../../../actors/programs/campaigns/rates.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';

const count = z.int().min(0);

const funnel = {
  sent: count,
  delivered: count.describe(
    'People whose message a provider accepted, on any channel; through a relay that reports, those whose mail server took it. A later bounce moves the person to `bounced`, unless they have opened it.',
  ),
  accepted: count
    .optional()
    .describe(
      'People whose relay has accepted the message and has not reported yet what became of it. Absent while there are none.',
    ),
  opened: count.describe(
    'People who opened it, and those who clicked a link without loading its pictures. So `sent` ≥ `delivered` ≥ `opened` ≥ `clicked`; the event stream has what happened.',
  ),
  clicked: count,
  bounced: count,
  suppressed: count.describe(
    'People who were not sent the message; see `suppressedBy` for the reasons.',
  ),
  failed: count.describe(
    'Open dead letters. A redrive that succeeds moves the person to `delivered`.',
  ),
  converted: count.describe(
    'People who met the `goal` within its hours of their own send. To judge the campaign, compare `treated` with `holdout`.',
  ),
  unsubscribed: count.describe(
    'People who opted out by this message, or left its topic: by its link, or by the unsubscribe button of their email client.',
  ),
  complained: count.describe('People who reported it as spam.'),
};

const share = z.number().min(0).max(1);
const group = z.object({
  size: count,
  converted: count.nullable().describe('`null` without a goal or a holdout.'),
  conversionRate: share.nullable().describe('`converted` divided by `size`.'),
});

const compared = {
  treated: group
    .nullable()
    .describe(
      'Everyone in the audience who was not held out, whether the message could be sent or not. `converted` counts those who met the goal between the start and `withinHours` after the last send. The same time applies to the holdout, so the two groups differ in nothing but the campaign. `null` without a goal or a holdout.',
    ),
  lift: z
    .object({
      difference: z
        .number()
        .describe('Conversion rate of the treated minus that of the holdout: 0.03 is 3 points.'),
      low: z.number(),
      high: z.number().describe('`low` to `high` is the 95% interval of `difference`.'),
      relative: z
        .number()
        .nullable()
        .describe("`difference` divided by the holdout's rate; `null` if that rate is 0."),
    })
    .nullable()
    .describe(
      "Difference of proportions with Newcombe's 95% interval (hybrid score, method 10). If 0 lies between `low` and `high`, the campaign has shown no effect. Sums over several occurrences count the same people several times, so their interval is too narrow; prefer that of an occurrence. `null` if a group is empty.",
    ),
};
const comparison = {
  holdout: group.describe(
    'People held out of the audience, and how many of them met the goal. Of occurrences that began before Engage counted conversions, only `size` is known.',
  ),
  ...compared,
};

const rate = z.object({
  share,
  low: share,
  high: share.describe("`low` to `high` is Wilson's 95% interval of `share`."),
});
const rates = z
  .object({
    of: z.literal('sent').describe('The denominator of every share: the count of this name.'),
    delivered: rate,
    opened: rate,
    clicked: rate,
    converted: rate.nullable().describe('`null` for a campaign without a goal.'),
    bounced: rate,
    failed: rate,
    unsubscribed: rate,
    complained: rate,
  })
  .nullable()
  .describe(
    'Shares of the people the message was sent to. Sums over several occurrences count the same people several times, so their intervals are too narrow. `null` until it is sent to someone.',
  );

const { suppressed, ...ofDevices } = {
  sent: count,
  delivered: count,
  bounced: count,
  suppressed: count,
  failed: count,
};
const ofChannel = { ...ofDevices, suppressed };

const progressSchema = z.object({
  done: count,
  total: count.describe('People, counted once on each channel that reaches them.'),
  ratePerSecond: z.number().describe('Average over the last ten seconds.'),
  expectedEnd: instantSchema.nullable(),
  waitingFor: z
    .object({
      reason: z.string().describe('A stable code, such as `quiet_hours`.'),
      text: z.string(),
      until: instantSchema.nullable(),
      since: instantSchema
        .nullable()
        .describe(
          'Of `provider_pause`: since when the provider has asked for fewer messages; `until` is the next attempt.',
        ),
      people: count.nullable(),
    })
    .nullable()
    .describe('Why the campaign is not progressing; `null` while it is.'),
});

const someone = { sent: 420, delivered: 415, opened: 190, clicked: 61, bounced: 3 };
const left = { unsubscribed: 4, complained: 1 };
const exampleFunnel = { ...someone, suppressed: 12, failed: 2, converted: 17, ...left };
const exampleChannel = { sent: 420, delivered: 415, bounced: 3, suppressed: 12, failed: 2 };

/** Also the example of the webhook. */
export const exampleComparison = {
  holdout: { size: 23, converted: 0, conversionRate: 0 },
  treated: { size: 432, converted: 17, conversionRate: 0.039352 },
  lift: { difference: 0.039352, low: -0.104512, high: 0.062112, relative: null },
};

export const exampleRates = ratesOf(exampleFunnel, true);

export const campaignStatsSchema = z
  .object({
    campaignId: z.string(),
    name: z.string(),
    state: z.enum(campaignStates),
    stateReason: z.string().nullable(),
    audience: count.describe('Target audience, including the holdout.'),
    ...comparison,
    ...funnel,
    rates,
    devices: z.object(ofDevices).describe('Sends to devices. One person may have several.'),
    byChannel: z
      .partialRecord(z.enum(channelIds), z.object(ofChannel))
      .describe('Sends to devices, by channel.'),
    byVariant: z
      .record(z.string(), z.object({ ...funnel, ...compared }))
      .describe(
        'People, by variant. `treated` excludes people outside the sample of an experiment until a variant has won; `lift` compares with the whole holdout.',
      ),
    occurrences: z
      .array(
        z.object({
          number: count,
          startedAt: instantSchema,
          endedAt: instantSchema.nullable(),
          audience: count,
          ...comparison,
          nextDay: count.describe(
            'People whose local send time had already passed; sent the next day.',
          ),
          winner: z.string().nullable().describe('The variant that won the experiment.'),
          ...funnel,
        }),
      )
      .describe('Newest first, at most 100.'),
    fallback: z.object({
      eligible: count.describe(
        'People who had neither opened nor clicked when the fallback wait ended.',
      ),
      sent: count,
      suppressed: count.describe(
        'People whose fallback could be sent on no channel. Those who opened or clicked before their turn are in neither number.',
      ),
      suppressedBy: z.record(z.string(), count).describe('The same people by reason.'),
    }),
    suppressedBy: z.record(z.string(), count).describe('People by suppression reason.'),
    deferredBy: z
      .record(z.string(), count)
      .describe('People by the reason their send was deferred.'),
    progress: progressSchema.nullable().describe('`null` once the campaign has finished.'),
  })
  .meta({
    id: 'CampaignStats',
    examples: [
      {
        campaignId: exampleIds.campaign,
        name: 'Spring sale',
        state: 'completed',
        stateReason: null,
        audience: 455,
        ...exampleComparison,
        ...exampleFunnel,
        rates: exampleRates,
        devices: { sent: 420, delivered: 415, bounced: 3, failed: 2 },
        byChannel: { fcm: exampleChannel },
        byVariant: {},
        occurrences: [
          {
            number: 1,
            startedAt: exampleInstant(),
            endedAt: exampleInstant(90),
            audience: 455,
            ...exampleComparison,
            nextDay: 0,
            winner: null,
            ...exampleFunnel,
          },
        ],
        fallback: { eligible: 0, sent: 0, suppressed: 0, suppressedBy: {} },
        suppressedBy: { no_device: 12 },
        deferredBy: {},
        progress: null,
      },
    ],
  });

export function campaignStatsView(stats: CampaignStats): z.output<typeof campaignStatsSchema> {
  const { stateReason = null, occurrences, progress, ...rest } = stats;
  return {
    ...rest,
    stateReason,
    occurrences: occurrences.map(({ startedMs, endedMs, ...one }) => ({
      ...one,
      startedAt: instant(startedMs),
      endedAt: instantOrNull(endedMs),
    })),
    progress: progress === null ? null : progressView(progress),
  };
}

function progressView({ expectedEndMs, waitingFor, ...rest }: Progress) {
  return {
    ...rest,
    expectedEnd: instantOrNull(expectedEndMs),
    waitingFor:
      waitingFor === null
        ? null
        : {
            reason: waitingFor.reason,
            text: waitingFor.text,
            until: instantOrNull(waitingFor.untilMs ?? null),
            since: instantOrNull(waitingFor.sinceMs ?? null),
            people: waitingFor.people ?? null,
          },
  };
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
