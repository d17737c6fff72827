// The wire shape of a story: stable codes for programs, whole sentences for people.

import { z } from 'zod';
import {
  checkNames,
  nextCodes,
  storyCodes,
  storyKinds,
} from '../../../actors/insight/timeline/codes.ts';
import type { StoryEntry } from '../../../actors/insight/timeline/protocol.ts';
import {
  sentenceOf,
  sentenceOfCheck,
  sentenceOfNext,
} from '../../../actors/insight/timeline/sentences.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';

export const storyEntrySchema = z
  .object({
    at: instantSchema.describe(
      'When Engage learned of it; for a state, since when, or now if unknown.',
    ),
    kind: z
      .enum(storyKinds)
      .describe(
        '`event`: the person did something. `send`: a message was accepted. `attempt`: a call to a provider that did not finish the send. `receipt`: the result of a send. `journey`: the person moved in a journey. `opt_out`: an address opted out. `state`: the current state.',
      ),
    code: z.enum(storyCodes).describe('What happened, as a stable code.'),
    text: z.string().describe('The same in a sentence, with the reason if there is one.'),
    reason: z.string().optional().describe('The reason, as a stable code.'),
    detail: z.string().optional().describe("The provider's own error message."),
    attempt: z
      .int()
      .optional()
      .describe(
        'The number of the call to the provider; for a receipt, how many calls there were.',
      ),
    checks: z
      .array(z.object({ check: z.enum(checkNames), passed: z.boolean(), text: z.string() }))
      .optional()
      .describe(
        'The checks before the send, as far as they are known; the one that failed is last.',
      ),
    next: z
      .object({
        code: z.enum(nextCodes),
        text: z.string(),
        at: instantSchema.optional().describe('When it happens; absent if unknown.'),
      })
      .optional()
      .describe('What happens next. Absent once it has happened.'),
    name: z.string().optional().describe('The event that was tracked or is awaited.'),
    step: z.string().optional().describe("The journey's step."),
    eventId: z.string().optional(),
    sendId: z.string().optional(),
    campaignId: z.string().optional(),
    campaignName: z.string().optional().describe('Absent if the campaign was deleted.'),
    journeyId: z.string().optional(),
    journeyName: z.string().optional().describe('Absent if the journey was deleted.'),
    messageId: z.string().optional(),
    title: z
      .string()
      .optional()
      .describe('The title of the message, else its first words; of transactional sends.'),
    channel: z.string().optional(),
    channels: z.array(z.string()).optional(),
    deviceId: z.string().optional(),
    source: z.string().optional().describe('Where the opt-out or the preference came from.'),
    choices: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe('Choices that were made, by the key of a topic; `null` is its default.'),
    changed: z
      .array(z.string())
      .optional()
      .describe('Other preferences that changed: `channels`, `language`, `timezone`.'),
    providerMessageId: z.string().optional(),
    relay: z
      .string()
      .optional()
      .describe('The id of the relay that took the message or tells of it.'),
    relayName: z.string().optional().describe('What the relay was called then.'),
    attachments: z
      .array(z.object({ filename: z.string(), contentType: z.string(), bytes: z.int() }))
      .optional()
      .describe('Files of the email; of an accepted message.'),
    dropped: z
      .array(z.object({ field: z.string(), why: z.string() }))
      .optional()
      .describe('What the channel could not carry of the message; the rest was sent.'),
    test: z.literal(true).optional().describe('Set for a test send.'),
  })
  .meta({
    id: 'StoryEntry',
    examples: [
      {
        at: exampleInstant(2),
        kind: 'attempt',
        code: 'attempt_not_taken',
        text: 'Call 1 to the provider of Android push (FCM) failed. The provider was temporarily unavailable or too busy.',
        reason: 'unavailable',
        detail: '503 UNAVAILABLE The service is currently unavailable.',
        attempt: 1,
        checks: [{ check: 'device', passed: true, text: 'The person had an enabled device.' }],
        sendId: exampleIds.send,
        title: 'Your order has shipped',
        channel: 'fcm',
        deviceId: exampleIds.device,
        campaignId: exampleIds.campaign,
        campaignName: 'Spring sale',
      },
    ],
  });

export function storyEntryView(entry: StoryEntry) {
  const { kind, code, atMs, checks, next, ...rest } = entry;
  return {
    at: instant(atMs),
    kind,
    code,
    text: sentenceOf(entry),
    ...rest,
    ...(checks === undefined
      ? {}
      : { checks: checks.map((check) => ({ ...check, text: sentenceOfCheck(check) })) }),
    ...(next === undefined
      ? {}
      : {
          next: {
            code: next.code,
            text: sentenceOfNext(next),
            ...(next.atMs === undefined ? {} : { at: instant(next.atMs) }),
          },
        }),
  };
}
