// The wire shape of a destination of webhooks. Its URL, headers and secret are never read back.

import { z } from 'zod';
import type { DestinationView } from '../../../actors/integrations/webhooks/protocol.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, exampleOf, instant, instantSchema } from '../../call/schemas/schemas.ts';

export const destinationSchema = z
  .object({
    type: z
      .string()
      .describe('`webhook`, `webhook-<name>`, `slack`, or `legacy`: the webhook of the settings.'),
    enabled: z.boolean(),
    disabledReason: z
      .string()
      .nullable()
      .describe(
        '`no_success`: Engage turned it off, because no delivery succeeded on five days and at least 20 failed permanently. New events are stored as `stopped` deliveries.',
      ),
    events: z.array(z.string()).describe('The event kinds that it receives, as they were saved.'),
    concurrency: z.int().describe('Concurrent deliveries.'),
    health: z
      .enum(['ok', 'failing'])
      .describe(
        '`failing` after three failed attempts in a row over at least a minute, whatever the answers; `ok` again after a success.',
      ),
    pending: z.int().describe('Deliveries that have not ended.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Destination',
    examples: [
      {
        type: 'webhook',
        enabled: true,
        disabledReason: null,
        events: ['campaign.completed', 'message.*'],
        concurrency: 16,
        health: 'ok',
        pending: 0,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export const exampleSecret = 'whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZTAwMDA=';

/** In the response of a call that made its secret. */
export const savedDestinationSchema = destinationSchema
  .extend({
    secret: z
      .string()
      .optional()
      .describe('Only if Engage made it in this call. Shown only once; keep it secret.'),
  })
  .meta({
    id: 'SavedDestination',
    examples: [{ ...exampleOf(destinationSchema), secret: exampleSecret }],
  });

export function destinationBody({ createdMs, updatedMs, ...view }: DestinationView) {
  return { ...view, createdAt: instant(createdMs), updatedAt: instant(updatedMs) };
}
