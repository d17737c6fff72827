// Makes another write key for an app, by the name that the app's other secrets are made by. The
// same as connecting the platform again.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { key, route } from '../../route.ts';
import { makeWriteKey } from '../../write-keys.ts';
import { exampleWriteKey } from './integration-view.ts';

const writeKeySchema = z
  .object({ writeKey: z.string().describe('Shown once; keep it as a secret.') })
  .meta({ examples: [{ writeKey: exampleWriteKey }] });

export const createWriteKey = route({
  method: 'POST',
  path: '/v1/apps/:id/write-key',
  summary: 'Make a write key',
  description:
    'For a customer-data platform, as by connecting it. The key before stays good for 24 hours. Takes no body.',
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  responses: { 201: { description: 'The key.', schema: writeKeySchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    await call.to<CdpProtocol>(app).ask('cdp.put', { secretHash });
    return { status: 201, body: { writeKey: text } };
  },
});
