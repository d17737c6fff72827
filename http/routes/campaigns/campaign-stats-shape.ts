// The wire shape of a campaign's statistics: each person once at the top, devices below, and why a
// stalled campaign does not move. Source: contract, section 6.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import type { CampaignStats, Progress } from '../../../actors/programs/campaigns/protocol.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema } from '../../schemas.ts';

const count = z.int().min(0);

const funnel = {
  sent: count,
  delivered: count.describe(
    'People whose message a provider accepted, on any channel. A later bounce moves the person to `bounced`.',
  ),
  opened: count,
  clicked: count,
  bounced: count,
  suppressed: count.describe(
    'People who were not sent the message; see `suppressedBy` for the reasons.',
  ),
  failed: count.describe(
    'Open dead letters. A redrive that succeeds moves the person to `delivered`.',
  ),
  converted: count.describe('People who met the `goal` in time.'),
};

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
      people: count.nullable(),
    })
    .nullable()
    .describe('Why the campaign is not progressing; `null` while it is.'),
});

const someone = { sent: 420, delivered: 415, opened: 190, clicked: 61, bounced: 3 };
const exampleFunnel = { ...someone, suppressed: 12, failed: 2, converted: 17 };
const exampleChannel = { sent: 420, delivered: 415, bounced: 3, suppressed: 12, failed: 2 };

export const campaignStatsSchema = z
  .object({
    campaignId: z.string(),
    name: z.string(),
    state: z.enum(campaignStates),
    stateReason: z.string().nullable(),
    audience: count.describe('Target audience, including the holdout.'),
    holdout: count,
    ...funnel,
    devices: z.object(ofDevices).describe('Sends to devices. One person may have several.'),
    byChannel: z
      .partialRecord(z.enum(channelIds), z.object(ofChannel))
      .describe('Sends to devices, by channel.'),
    byVariant: z.record(z.string(), z.object(funnel)).describe('People, by variant.'),
    occurrences: z
      .array(
        z.object({
          number: count,
          startedAt: instantSchema,
          endedAt: instantSchema.nullable(),
          audience: count,
          holdout: count,
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
        holdout: 23,
        ...exampleFunnel,
        devices: { sent: 420, delivered: 415, bounced: 3, failed: 2 },
        byChannel: { fcm: exampleChannel },
        byVariant: {},
        occurrences: [
          {
            number: 1,
            startedAt: exampleInstant(),
            endedAt: exampleInstant(90),
            audience: 455,
            holdout: 23,
            nextDay: 0,
            winner: null,
            ...exampleFunnel,
          },
        ],
        fallback: { eligible: 0, sent: 0 },
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
            people: waitingFor.people ?? null,
          },
  };
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
