// Operations that are served beside the general way and are described all the same.

import { ingestAnswerSchema, ingestBodySchema } from '../actors/events/event-schema.ts';
import { exampleIds } from './example-ids.ts';
import type { Operation } from './openapi-types.ts';

/** `POST /e`: the schemas describe it; the app's actor judges each event by the same rules. */
export const trackEvents: Operation = {
  name: 'trackEvents',
  method: 'POST',
  path: '/e',
  summary: 'Track events',
  description:
    '1 to 1,000 events a call, judged one by one: a malformed event does not reject the others. The answer comes once the accepted ones are durable. Needs no key; with one (scope `write`) `appId` may be left out when the key belongs to one app. An unknown `externalUserId` becomes a subscriber. Its JSON may be declared as anything, as `text/plain` by `sendBeacon`. Any page may call it, and read the answer with `x-request-id` and `retry-after`.',
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
