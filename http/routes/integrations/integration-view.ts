// How an integration looks on the wire, and which there are. A configuration is never read back: of
// a write key, too, only its making shows it.

import { z } from 'zod';
import type { IntegrationView } from '../../../actors/events/cdp/protocol.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { exampleOf, instant, instantSchema } from '../../schemas.ts';

/** The types of integrations, as the catalogue and lists name them. */
export const integrationTypes = ['cdp'] as const;

/** A text in the form of a write key that is nobody's. */
export const exampleWriteKey = 'wk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0';

/** An integration as every answer shows it. */
export const integrationSchema = z
  .object({
    type: z.enum(integrationTypes),
    enabled: z.boolean(),
    createdAt: instantSchema,
    updatedAt: instantSchema.describe('When its key was last created.'),
  })
  .meta({
    id: 'Integration',
    examples: [
      { type: 'cdp', enabled: true, createdAt: exampleInstant(), updatedAt: exampleInstant() },
    ],
  });

/** The integration of a customer-data platform, as the call that made its key answers. */
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

/** An integration as it goes out. */
export function integrationView({ type, enabled, createdMs, updatedMs }: IntegrationView) {
  return { type, enabled, createdAt: instant(createdMs), updatedAt: instant(updatedMs) };
}
