// Makes a write key for a customer-data platform. The edge makes it; actors see only its hash.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { makeWriteKey } from '../../call/keys/write-keys.ts';
import { key, route } from '../../call/route.ts';
import { cdpSchema, integrationView } from './integration-view.ts';

/** What can be set. */
export const cdpConfig = z
  .object({
    devicesFromTraits: z
      .boolean()
      .optional()
      .describe(
        'Whether the traits `email` and `phone` of an `identify` become devices (email and sms), in addition to being tags. Default true. When a trait changes, the device that came from it is replaced, and no other. An address that a request with an API key registered does not move, and numbers need the setting `keylessEvents.registerPaidChannels`.',
      ),
  })
  .meta({ examples: [{ devicesFromTraits: true }] });

export const putCdp = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Connect a customer data platform',
  description:
    "Creates a write key for the app. Segment's and RudderStack's libraries, on servers and in apps, send people and events to `/i/cdp/<app id>` with it. `identify` becomes a person: traits are tags, `email` and `phone` are devices too (see `devicesFromTraits`), `context.timezone` and `context.locale` are the time zone and the tag `language`. `context.device.token` of any call with a `userId` becomes an apns device where `context.device.type` (or `context.os.name`) is one of Apple's, an fcm device where it is Android. Each request creates a new key; the previous one stays valid for 24 hours. The request needs no body.",
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'cdp.put',
  body: cdpConfig,
  optionalBody: true,
  responses: {
    200: { description: 'A new key, replacing the previous one.', schema: cdpSchema },
    201: { description: 'The first key.', schema: cdpSchema },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    const settings = present(call.body ?? {});
    const { integration, created } = await call
      .to<CdpProtocol>(app)
      .ask('cdp.put', { secretHash, settings });
    const body = {
      ...integrationView(integration),
      writeKey: text,
      path: `/i/cdp/${call.param('appId')}`,
    };
    return { status: created ? 201 : 200, body };
  },
});
