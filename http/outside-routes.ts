// Operations that are served beside the general way and are described all the same.

import { z } from 'zod';
import { callTypes } from '../actors/events/cdp/call.ts';
import {
  eventIdCharsMax,
  ingestAnswerSchema,
  ingestBodySchema,
} from '../actors/events/event-schema.ts';
import { exampleIds, exampleInstant } from './example-ids.ts';
import type { Operation } from './openapi-types.ts';

/** `POST /e`: the schemas describe it; the app's actor judges each event by the same rules. */
export const trackEvents: Operation = {
  name: 'trackEvents',
  method: 'POST',
  path: '/e',
  summary: 'Track events',
  description:
    '1 to 1,000 events a call, judged one by one: a malformed event does not reject the others. The answer comes once the accepted ones are durable. Needs no key; with one (scope `write`) `appId` may be left out when the key belongs to one app. An unknown `externalUserId` becomes a subscriber. Where the app requires proof of identity, an event without a key is for the person of the client token in `Authorization: Bearer`, or for an anonymous one by `subscriberId`; otherwise an error of that event. Without a key one address makes at most 60 new people of an app a minute; an event of one more is an error. Its JSON may be declared as anything, as `text/plain` by `sendBeacon`. Any page may call it, and read the answer with `x-request-id` and `retry-after`.',
  tag: 'Events',
  access: { kind: 'public' },
  optionalKey: true,
  anyContentType: true,
  lane: 'none',
  body: ingestBodySchema.meta({
    id: 'EventBatch',
    examples: [
      {
        appId: exampleIds.app,
        events: [
          {
            name: 'purchase',
            externalUserId: 'user-42',
            id: 'order-A-1001',
            props: { total: 42.5, currency: 'EUR' },
          },
        ],
      },
    ],
  }),
  responses: {
    202: {
      description: 'How many are stored, and what was wrong with each of the others.',
      schema: ingestAnswerSchema.meta({
        examples: [
          { accepted: 1, rejected: 0, errors: [] },
          {
            accepted: 1,
            rejected: 1,
            errors: [{ index: 1, error: 'name: expected 1 to 128 characters' }],
          },
        ],
      }),
    },
  },
  refusals: [400, 401, 403, 404, 413, 429, 503, 507],
};

const cdpCall = z.looseObject({
  type: z
    .enum(callTypes)
    .optional()
    .describe('May be left out where the path names it: `/i/cdp/<app id>/v1/identify`.'),
  userId: z
    .union([z.string(), z.int()])
    .nullish()
    .describe('Our `externalUserId`. A call without it is left out.'),
  messageId: z.string().max(eventIdCharsMax).nullish().describe('Deduplicates it for 24 hours.'),
  traits: z.record(z.string(), z.unknown()).nullish().describe('Of `identify`: become tags.'),
  event: z.string().nullish().describe('Of `track`: the name of the event.'),
  properties: z.record(z.string(), z.unknown()).nullish(),
  timestamp: z.string().nullish(),
  originalTimestamp: z.string().nullish(),
  sentAt: z.string().nullish(),
});

/** `POST /i/cdp/:appId`: the schemas describe it; each call of a body is judged by itself. */
export const receiveCdp: Operation = {
  name: 'receiveCdp',
  method: 'POST',
  path: '/i/cdp/:appId',
  summary: 'Receive from a customer-data platform',
  description:
    "What Segment's and RudderStack's server libraries send, unchanged: `{batch: […]}`, a bare list, or one call, declared as anything, and gzipped or not (at most 1 MiB as sent, 8 MiB inflated). The addresses that libraries make of this one, `…/v1/batch` and `…/v1/<call>`, answer as well. `identify` creates or changes the person and merges traits into tags; `track` stores an event; `page`, `screen`, `group` and `alias` of a person are stored as events of that name, others acknowledged. An event's time is corrected by `sentAt`, and is never in the future. What cannot be used is left out and told in `errors`; the rest is taken, and durable before the answer. With the app's write key as the user name of Basic authentication.",
  tag: 'Events',
  access: { kind: 'public' },
  writeKey: true,
  anyContentType: true,
  lane: 'none',
  body: z
    .union([z.looseObject({ batch: z.array(cdpCall), sentAt: z.string().nullish() }), cdpCall])
    .meta({
      id: 'CdpBody',
      examples: [
        {
          batch: [
            { type: 'identify', userId: 'user-42', messageId: 'm-1', traits: { plan: 'pro' } },
            {
              type: 'track',
              userId: 'user-42',
              messageId: 'm-2',
              event: 'Order Completed',
              properties: { total: 42.5, currency: 'EUR' },
              timestamp: exampleInstant(),
            },
          ],
          sentAt: exampleInstant(1),
        },
      ],
    }),
  responses: {
    200: {
      description: 'Taken, in whole or in part.',
      schema: z
        .object({
          success: z.literal(true),
          problems: z.int().min(1).optional().describe('How many; left out where there is none.'),
          errors: z
            .array(z.object({ index: z.int().min(0), error: z.string() }))
            .optional()
            .describe('The first of them, by the place of their call.'),
        })
        .meta({
          examples: [
            { success: true },
            {
              success: true,
              problems: 1,
              errors: [
                {
                  index: 1,
                  error: 'userId: is missing; people are known by it, not by anonymousId',
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [400, 401, 413, 415, 429, 500, 503, 507],
};
