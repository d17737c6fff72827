// Event shapes and bounds for the OpenAPI description. Not for ingest: zod costs more per event
// than all else, so scan.ts and slow-path.ts apply the rules. Source: contract, sections 4 and 10.

import { z } from 'zod';
import type { Bytes } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { nameCharsMax } from './names.ts';

export const eventIdCharsMax = 128;
/** UTF-8 bytes beside the character limit: bounds a slot in memory. */
export const externalUserIdBytesMax: Bytes = 512;
/** Characters of `deviceId`, `sendId`, `campaignId` and `messageId`. */
export const referenceCharsMax = 64;
/** Objects and arrays in `props`, itself included; also in unknown fields. */
export const nestingMax = 16;

const reference = z.string().min(1).max(referenceCharsMax).nullish();

/** Exactly one of `subscriberId` and `externalUserId`; `null` is absent. */
const clientEventSchema = z.looseObject({
  name: z
    .string()
    .min(1)
    .max(nameCharsMax)
    .describe("Stored in Unicode's normal form NFC.")
    .meta({ examples: ['purchase'] }),
  subscriberId: z.string().nullish(),
  externalUserId: z.string().min(1).max(limits.externalUserIdCharsMax).nullish(),
  id: z
    .string()
    .min(1)
    .max(eventIdCharsMax)
    .nullish()
    .describe(
      'Deduplicates the event for 24 hours; use the same id when you retry. No control characters.',
    ),
  at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('When it happened. Default: the time the server received it.'),
  props: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe(`An object of at most ${limits.eventPropsBytesMax} bytes as JSON.`),
  deviceId: reference,
  sendId: reference,
  campaignId: reference,
  messageId: reference,
});

export const ingestBodySchema = z.looseObject({
  appId: z.string().nullish().describe('May be omitted with an app-scoped key.'),
  events: z.array(clientEventSchema).min(1).max(limits.ingestEventsMax),
});

/** What is read of a call, and of each of its events. */
export const bodyMembers = Object.keys(ingestBodySchema.shape);
export const eventMembers = Object.keys(clientEventSchema.shape);

export const ingestAnswerSchema = z.object({
  accepted: z.int().min(0),
  rejected: z.int().min(0),
  errors: z.array(z.object({ index: z.int().min(0), error: z.string() })),
});

/** As read back, from a client or the service. */
export const storedEventSchema = z.object({
  id: z.string(),
  seq: z.int().min(1),
  name: z.string(),
  subscriberId: z.string(),
  externalUserId: z.string().nullable(),
  deviceId: z.string().nullable(),
  channel: z.string().nullable(),
  sendId: z.string().nullable(),
  campaignId: z.string().nullable(),
  messageId: z.string().nullable(),
  journeyId: z.string().nullable(),
  at: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
  props: z.record(z.string(), z.unknown()),
  meta: z.record(z.string(), z.unknown()),
});
