// What became of a campaign, on the wire: people once each at the top, devices below, and why it
// does not move when it does not. Source: contract, section 6.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/catalog.ts';
import type { CampaignStats, Progress } from '../../../actors/programs/campaigns/protocol.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema } from '../../schemas.ts';

const count = z.int().min(0);

const funnel = {
  sent: count,
  delivered: count.describe('A provider took it, on any channel; a later bounce moves the person.'),
  opened: count,
  clicked: count,
  bounced: count,
  suppressed: count.describe('Nothing was sent; `suppressedBy` says why.'),
  failed: count.describe('Open dead letters; a redrive that lands moves one to `delivered`.'),
  converted: count.describe('Did what the `goal` says, in its time.'),
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
  total: count.describe('People on the channels that reach them.'),
  ratePerSecond: z.number().describe('Over the last ten seconds.'),
  expectedEnd: instantSchema.nullable(),
  waitingFor: z
    .object({
      reason: z.string().describe('A stable word, such as `quiet_hours`.'),
      text: z.string(),
      until: instantSchema.nullable(),
      people: count.nullable(),
    })
    .nullable()
    .describe('Why it does not move; `null` while it does.'),
});

const someone = { sent: 420, delivered: 415, opened: 190, clicked: 61, bounced: 3 };
const exampleFunnel = { ...someone, suppressed: 12, failed: 2, converted: 17 };
const exampleChannel = { sent: 420, delivered: 415, bounced: 3, suppressed: 12, failed: 2 };

/** The stats of a campaign. */
export const campaignStatsSchema = z
  .object({
    campaignId: z.string(),
    name: z.string(),
    state: z.enum(campaignStates),
    stateReason: z.string().nullable(),
    audience: count.describe('Whom it was meant for, the holdout included.'),
    holdout: count,
    ...funnel,
    devices: z.object(ofDevices).describe('Sends to devices, of which a person may have several.'),
    byChannel: z.partialRecord(z.enum(channelIds), z.object(ofChannel)).describe('Devices.'),
    byVariant: z.record(z.string(), z.object(funnel)).describe('People.'),
    occurrences: z
      .array(
        z.object({
          number: count,
          startedAt: instantSchema,
          endedAt: instantSchema.nullable(),
          audience: count,
          holdout: count,
          nextDay: count.describe(
            'Whose hour had passed when it began, and who get it a day later.',
          ),
          winner: z.string().nullable().describe('The variant that the experiment chose.'),
          ...funnel,
        }),
      )
      .describe('Newest first, at most a hundred.'),
    fallback: z.object({
      eligible: count.describe('Who had neither opened nor clicked when the wait was over.'),
      sent: count,
    }),
    suppressedBy: z.record(z.string(), count).describe('People by reason.'),
    deferredBy: z.record(z.string(), count).describe('People by reason, whose send was put off.'),
    progress: progressSchema.nullable().describe('Until it is finished.'),
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

/** Stats as they go out. */
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
