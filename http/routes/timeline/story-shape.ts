// How a story looks on the wire: each entry with its stable codes, and with whole sentences for
// whoever only wants to read.

import { z } from 'zod';
import {
  checkNames,
  nextCodes,
  storyCodes,
  storyKinds,
} from '../../../actors/insight/timeline/codes.ts';
import type { StoryEntry } from '../../../actors/insight/timeline/protocol.ts';
import { wordsOf, wordsOfCheck, wordsOfNext } from '../../../actors/insight/timeline/words.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema } from '../../schemas.ts';

/** One entry of a story. */
export const storyEntrySchema = z
  .object({
    at: instantSchema.describe(
      'When Engage came to know; of a state, since when it holds, or now where nobody knows.',
    ),
    kind: z
      .enum(storyKinds)
      .describe(
        '`event`: something the person did. `send`: a message was accepted. `attempt`: a call to a provider after which another had to follow. `receipt`: what came of a message. `journey`: the person moved in one. `opt_out`: an address opted out. `state`: how it stands now.',
      ),
    code: z.enum(storyCodes).describe('What it is, as a stable word.'),
    text: z.string().describe('The same in words, with the reason where there is one.'),
    reason: z.string().optional().describe('Why, as a stable word.'),
    detail: z.string().optional().describe("The provider's own words."),
    attempt: z
      .int()
      .optional()
      .describe('Which call to the provider it was; of a receipt, how many there were.'),
    checks: z
      .array(z.object({ check: z.enum(checkNames), passed: z.boolean(), text: z.string() }))
      .optional()
      .describe('What was looked at before, as far as it is certain; the one that failed is last.'),
    next: z
      .object({
        code: z.enum(nextCodes),
        text: z.string(),
        at: instantSchema.optional().describe('When; absent where nobody can say.'),
      })
      .optional()
      .describe('What follows. Only there while it lies ahead.'),
    name: z.string().optional().describe('Of the event that was tracked, or is waited for.'),
    step: z.string().optional().describe('Of the journey.'),
    eventId: z.string().optional(),
    sendId: z.string().optional(),
    campaignId: z.string().optional(),
    journeyId: z.string().optional(),
    messageId: z.string().optional(),
    channel: z.string().optional(),
    channels: z.array(z.string()).optional(),
    deviceId: z.string().optional(),
    source: z.string().optional().describe('Where an opt-out came from.'),
    providerMessageId: z.string().optional(),
    test: z.literal(true).optional().describe('Sent to try a message out.'),
  })
  .meta({
    id: 'StoryEntry',
    examples: [
      {
        at: exampleInstant(2),
        kind: 'attempt',
        code: 'attempt_not_taken',
        text: 'Call 1 to the provider of Android push (FCM) was not successful. The provider was out of order or too busy for a moment.',
        reason: 'unavailable',
        detail: '503 UNAVAILABLE The service is currently unavailable.',
        attempt: 1,
        checks: [{ check: 'device', passed: true, text: 'There was an enabled device.' }],
        sendId: exampleIds.send,
        channel: 'fcm',
        deviceId: exampleIds.device,
      },
    ],
  });

/** An entry as it goes out. */
export function storyEntryView(entry: StoryEntry) {
  const { kind, code, atMs, checks, next, ...rest } = entry;
  return {
    at: instant(atMs),
    kind,
    code,
    text: wordsOf(entry),
    ...rest,
    ...(checks === undefined
      ? {}
      : { checks: checks.map((check) => ({ ...check, text: wordsOfCheck(check) })) }),
    ...(next === undefined
      ? {}
      : {
          next: {
            code: next.code,
            text: wordsOfNext(next),
            ...(next.atMs === undefined ? {} : { at: instant(next.atMs) }),
          },
        }),
  };
}
