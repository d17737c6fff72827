// The wire shape of a text that may be an opt-out.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

type ShownDoubt = AudienceProtocol['doubtful_opt_out.list']['reply']['items'][number];

export const doubtfulSchema = z
  .object({
    id: z.string().describe('Changes when the person writes again.'),
    channel: channelSchema.describe('Where it was written.'),
    address: z.string().describe('Normalized.'),
    words: z
      .string()
      .describe(
        'Its first 1,000 characters. Empty if it may have been written by someone who was erased since, while others share the address.',
      ),
    receivedAt: instantSchema,
    subscribers: z
      .array(
        z.object({
          subscriberId: z.string(),
          externalUserId: z.string().nullable(),
        }),
      )
      .describe('Who has the address now; empty for a number that nobody has.'),
  })
  .meta({
    id: 'DoubtfulOptOut',
    examples: [
      {
        id: exampleIds.doubtful,
        channel: 'sms',
        address: '+14155550123',
        words: 'please stop sending me these',
        receivedAt: exampleInstant(),
        subscribers: [{ subscriberId: exampleIds.subscriber, externalUserId: 'customer-42' }],
      },
    ],
  });

export function doubtfulView({ id, channel, address, words, atMs, subscribers }: ShownDoubt) {
  return {
    id,
    channel,
    address,
    words,
    receivedAt: instant(atMs),
    subscribers: subscribers.map(({ id: subscriberId, externalUserId }) => ({
      subscriberId,
      externalUserId,
    })),
  };
}
