// The wire shape of an integration. No configuration is read back; a write key shows only once.

import { z } from 'zod';
import { cdpEtag } from '../../../actors/events/cdp/cdp-etag.ts';
import type { IntegrationView } from '../../../actors/events/cdp/protocol.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, exampleOf, instant, instantSchema } from '../../call/schemas/schemas.ts';
import { consentSchema } from '../audience/consent-shape.ts';

export const exampleWriteKey = 'wk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0';

export const integrationSchema = z
  .object({
    type: z.literal('cdp'),
    enabled: z.boolean(),
    devicesFromTraits: z
      .boolean()
      .describe('Whether the traits `email` and `phone` of a person become devices.'),
    consent: consentSchema,
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema.describe('When its key was last created.'),
  })
  .meta({
    id: 'Integration',
    examples: [
      {
        type: 'cdp',
        enabled: true,
        devicesFromTraits: true,
        consent: 'confirmed' as const,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** In the response of the call that made its key. */
export const cdpSchema = integrationSchema
  .extend({
    writeKey: z.string().describe('Shown only once; keep it secret.'),
    path: z.string().describe('The path that the platform sends to, on this server.'),
  })
  .meta({
    examples: [
      {
        ...exampleOf(integrationSchema),
        writeKey: exampleWriteKey,
        path: `/i/cdp/${exampleIds.app}`,
      },
    ],
  });

export function integrationView(integration: IntegrationView) {
  const { type, enabled, devicesFromTraits, consent, createdMs, updatedMs } = integration;
  return {
    type,
    enabled,
    devicesFromTraits,
    consent,
    etag: cdpEtag(integration),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
