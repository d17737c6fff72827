// The operations that bypass the general pipeline, for the API reference.

import { z } from 'zod';
import { callTypes } from '../../actors/events/cdp/call.ts';
import {
  eventIdCharsMax,
  ingestAnswerSchema,
  ingestBodySchema,
} from '../../actors/events/ingest/event-schema.ts';
import type { Route } from '../call/route.ts';
import { exampleIds, exampleInstant } from '../call/schemas/example-ids.ts';
import { openApiDocument } from './openapi-document.ts';
import type { OpenApiDocument, Operation } from './openapi-types.ts';

/** These routes and the operations outside the pipeline, as served at `serverUrl`. */
export function describeApi(routes: readonly Route[], serverUrl: string): OpenApiDocument {
  const firstEvent = routes.findIndex(({ tag }) => tag === trackEvents.tag);
  const at = firstEvent < 0 ? routes.length : firstEvent;
  return openApiDocument(
    [...routes.slice(0, at), ...operationsOutside, ...routes.slice(at)],
    serverUrl,
  );
}

/** Described by the schemas; the app's actor checks each event by the same rules. */
const trackEvents: Operation = {
  name: 'trackEvents',
  method: 'POST',
  path: '/e',
  summary: 'Track events',
  description:
    'Sends 1 to 1,000 events per request. Each event is validated on its own: a malformed event does not reject the others. The response is sent once the accepted events are stored. No API key is needed. With a key (scope `write`) that belongs to one app, `appId` may be omitted. An unknown `externalUserId` creates a subscriber. If the app requires identity verification, an event without a key must belong to the person of the client token in `Authorization: Bearer`, or name an anonymous person by `subscriberId`; otherwise the event is an error. Without a key, one address may create at most 60 people per app and minute; further events that would create a person are errors. Without a key, one address may send an app 4 MiB and 20,000 events per minute (the operator can change that), then 429. Without a key, one address may bring 100 new event and tag names per app and hour; further ones are errors. Any content type is accepted, such as `text/plain` from `sendBeacon`. CORS: any origin may call this route and read the response, `x-request-id` and `retry-after`.',
  tag: 'Events',
  access: { kind: 'public' },
  optionalKey: true,
  anyContentType: true,
  namesUnknown: true,
  lane: 'none',
  body: ingestBodySchema.meta({
    id: 'EventBatch',
    examples: [
      {
        appId: exampleIds.app,
        events: [
          {
            name: 'purchase',
            externalUserId: 'customer-42',
            id: 'order-A-1001',
            props: { total: 42.5, currency: 'EUR' },
          },
        ],
      },
    ],
  }),
  responses: {
    202: {
      description: 'How many events were stored, and what was wrong with each of the others.',
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
    .describe('May be omitted if the path names the call: `/i/cdp/<app id>/v1/identify`.'),
  userId: z
    .union([z.string(), z.int()])
    .nullish()
    .describe('Used as `externalUserId`. Calls without it are skipped.'),
  messageId: z
    .string()
    .max(eventIdCharsMax)
    .nullish()
    .describe('Deduplicates the call for 24 hours.'),
  traits: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('For `identify`: stored as tags; `email` and `phone` also become devices.'),
  event: z.string().nullish().describe('For `track`: the event name.'),
  properties: z.record(z.string(), z.unknown()).nullish(),
  context: z
    .looseObject({
      device: z.looseObject({ type: z.string().nullish(), token: z.string().nullish() }).nullish(),
      timezone: z.string().nullish(),
      locale: z.string().nullish(),
    })
    .nullish()
    .describe('Where the app runs: its push token, time zone and language.'),
  timestamp: z.string().nullish(),
  originalTimestamp: z.string().nullish(),
  sentAt: z.string().nullish(),
});

/** Described by the schemas; each call of a body is checked alone. */
const receiveCdp: Operation = {
  name: 'receiveCdp',
  method: 'POST',
  path: '/i/cdp/:appId',
  summary: 'Customer data platform webhook',
  description:
    "Accepts what Segment's and RudderStack's libraries send, from servers and from apps, unchanged: `{batch: […]}`, an array, or a single call; any content type; gzip or not (at most 1 MiB as sent, 8 MiB decompressed). The paths that these libraries append, `…/v1/batch`, `…/b` and `…/v1/<call>`, work too. `identify` creates or updates the person and merges traits into tags; the traits `email` and `phone` also become devices (email and sms), unless the integration's `devicesFromTraits` is off. A changed trait replaces the device that came from it, and no other; `null` removes it. Opt-outs hold, an address that a request with an API key registered stays where it is, and numbers need the setting `keylessEvents.registerPaidChannels` (on in sandbox mode). `context.timezone` becomes the person's time zone, `context.locale` the tag `language` unless the traits have `language` or `locale`. `context.device.token` of any call with a `userId` becomes an apns device if `context.device.type`, or else `context.os.name`, is one of Apple's, and an fcm device if it is Android or the token is Firebase's. `track` stores an event; `page`, `screen`, `group` and `alias` for a person are stored as events of that name; other calls are acknowledged. Event times are corrected by `sentAt` and are never in the future. Calls that cannot be used are skipped and listed in `errors`; the rest are stored before the response is sent. Authenticate with HTTP Basic: the app's write key as the username, an empty password. Without that header the key may be the body's `writeKey`, as libraries in apps send it: then the body has at most 1 MiB decompressed, and counts for its address like a request without a key.",
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
            {
              type: 'identify',
              userId: 'customer-42',
              messageId: 'm-1',
              traits: { plan: 'pro', email: 'ada@example.com' },
              context: { timezone: 'Asia/Bangkok', locale: 'th-TH' },
            },
            {
              type: 'track',
              userId: 'customer-42',
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
      description: 'Accepted in full or in part.',
      schema: z
        .object({
          success: z.literal(true),
          problems: z.int().min(1).optional().describe('How many; omitted if there are none.'),
          errors: z
            .array(z.object({ index: z.int().min(0), error: z.string() }))
            .optional()
            .describe('The first errors, by the index of their call.'),
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
                  error: 'userId: is missing; people are identified by userId, not by anonymousId',
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [400, 401, 413, 415, 429, 500, 503, 507],
};

const receiveSegment: Operation = {
  ...receiveCdp,
  name: 'receiveSegment',
  path: '/compat/segment/v1/:call',
  summary: 'Receive calls (Segment)',
  description:
    "The same as `POST /i/cdp/:appId` under Segment's own paths, for its libraries with another address: `host` of the library is this server's, `path` is `/compat/segment/v1/batch`. The write key that the library gets is the app id, a dot and the write key of the app: `app_….wk_…`. Errors have `success: false` and `message`, too.",
  tag: 'Other services',
  params: {
    call: '`identify`, `track`, `page`, `screen`, `group`, `alias`, `batch` or `import`.',
  },
};

export const operationsOutside: readonly Operation[] = [trackEvents, receiveCdp, receiveSegment];
