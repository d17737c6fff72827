// Makes another write key for an app, under the path of its other secrets. The same as connecting
// the platform again.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { makeWriteKey } from '../../call/keys/write-keys.ts';
import { key, route } from '../../call/route.ts';
import { exampleWriteKey } from './integration-view.ts';

const writeKeySchema = z
  .object({ writeKey: z.string().describe('Shown only once; keep it secret.') })
  .meta({ examples: [{ writeKey: exampleWriteKey }] });

export const createWriteKey = route({
  method: 'POST',
  path: '/v1/apps/:appId/write-key',
  summary: 'Create a write key',
  description:
    'Creates a new write key for the customer data platform, like connecting it does. The previous key stays valid for 24 hours. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  responses: { 201: { description: 'The new key.', schema: writeKeySchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    await call.to<CdpProtocol>(app).ask('cdp.put', { secretHash });
    return { status: 201, body: { writeKey: text } };
  },
});
