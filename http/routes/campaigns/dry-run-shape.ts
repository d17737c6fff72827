// The wire shape of a dry run: totals, and the outcome for each person.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import type { DryRun, DryRunPerson } from '../../../actors/programs/campaigns/protocol.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

const count = z.int().min(0);

export const verdictSchema = z.enum(['send', 'defer', 'suppress', 'holdout']);

export const dryRunPersonSchema = z
  .object({
    subscriberId: z.string(),
    externalUserId: z.string().nullable(),
    verdict: verdictSchema,
    reason: z.string().nullable().describe('Why the message would not be sent, or not yet.'),
    until: instantSchema
      .nullable()
      .describe('For a deferred person: when the message would be sent.'),
    channels: z.array(channelSchema).describe('The channels that would be used.'),
    variant: z.string().nullable(),
    fallback: z
      .object({ verdict: z.enum(['send', 'defer', 'suppress']), reason: z.string().nullable() })
      .nullable()
      .describe('The same for the fallback, if the person does not react.'),
  })
  .meta({
    id: 'DryRunPerson',
    examples: [
      {
        subscriberId: exampleIds.subscriber,
        externalUserId: 'customer-42',
        verdict: 'send',
        reason: null,
        until: null,
        channels: ['fcm'],
        variant: null,
        fallback: null,
      },
    ],
  });

export const dryRunSchema = z
  .object({
    dryRunId: z
      .string()
      .describe('Pass it to `send`, or use it to list the people. Kept for 24 hours.'),
    at: instantSchema,
    expiresAt: instantSchema,
    audience: count,
    holdout: count,
    wouldSend: count.describe('People who would be sent the message now.'),
    byChannel: z
      .partialRecord(z.enum(channelIds), count)
      .describe('The people in `wouldSend`, by channel.'),
    byVariant: z.record(z.string(), count),
    wouldSuppress: z.record(z.string(), count).describe('Suppressed people by reason.'),
    wouldDefer: z.record(z.string(), count).describe('Deferred people by reason.'),
    unvouched: count.describe(
      'People in the audience who are known only from calls without a key: no key, identity hash or delivered message has vouched for them.',
    ),
    fallback: z
      .object({
        wouldSend: count,
        wouldSuppress: z.record(z.string(), count),
        wouldDefer: z.record(z.string(), count),
      })
      .nullable()
      .describe(
        'People by what the fallback would do if nobody opened or clicked: with the current caps, quiet hours and addresses, at the end of the wait. It ignores the daily cap and the email allowance. `null` without a fallback.',
      ),
    warmUp: z
      .object({
        domain: z.string(),
        today: count.describe('Emails that would leave today.'),
        later: count.describe('Emails that would leave on the days after.'),
        days: count.describe('How many days after today it takes.'),
      })
      .nullable()
      .describe(
        'How the warm-up of the sender domain spreads the emails, if no other campaign shares its days. `null` if the domain is not warming up.',
      ),
    warnings: z
      .array(
        z.object({
          code: z.enum(['keyless_events', 'fallback_capped', 'did_you_mean']),
          message: z.string(),
        }),
      )
      .describe(
        'What to check before you send. `keyless_events`: clients can put people into the audience by events that need no proof. `fallback_capped`: a frequency cap never lets the fallback be sent. `did_you_mean`: a misspelled field has no effect.',
      ),
    sampled: z.array(dryRunPersonSchema),
  })
  .meta({
    id: 'DryRun',
    examples: [
      {
        dryRunId: exampleIds.dryRun,
        at: exampleInstant(),
        expiresAt: exampleInstant(86_400),
        audience: 455,
        holdout: 23,
        wouldSend: 400,
        byChannel: { fcm: 400 },
        byVariant: {},
        wouldSuppress: { no_device: 12 },
        wouldDefer: { quiet_hours: 20 },
        unvouched: 0,
        fallback: null,
        warmUp: null,
        warnings: [],
        sampled: [],
      },
    ],
  });

export function dryRunView(run: DryRun): z.output<typeof dryRunSchema> {
  const { atMs, expiresMs, sampled, warnings, ...rest } = run;
  return {
    ...rest,
    warnings: [...warnings],
    at: instant(atMs),
    expiresAt: instant(expiresMs),
    sampled: sampled.map(dryRunPersonView),
  };
}

export function dryRunPersonView(person: DryRunPerson): z.output<typeof dryRunPersonSchema> {
  const { untilMs, externalUserId = null, reason = null, variant = null } = person;
  const { subscriberId, verdict, channels, fallback } = person;
  return {
    subscriberId,
    externalUserId,
    verdict,
    reason,
    until: untilMs === undefined ? null : instant(untilMs),
    channels: [...channels],
    variant,
    fallback:
      fallback === undefined
        ? null
        : { verdict: fallback.verdict, reason: fallback.reason ?? null },
  };
}
