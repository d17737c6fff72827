// The customer data platform of an app, and its write keys. The edge makes a key; actors see only
// its hash.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { makeWriteKey } from '../../call/keys/write-keys.ts';
import { key, route } from '../../call/route.ts';
import { consentSchema } from '../audience/consent-shape.ts';
import { senderWarnings } from '../audience/sender-warnings.ts';
import {
  cdpSchema,
  exampleWriteKey,
  integrationSchema,
  integrationView,
} from './integration-view.ts';

// Makes a write key for a customer-data platform. The edge makes it; actors see only its hash.

/** What can be set. */
export const cdpConfig = z
  .object({
    devicesFromTraits: z
      .boolean()
      .optional()
      .describe(
        'Whether the traits `email` and `phone` of an `identify` become devices (email and sms), in addition to being tags. Default true. When a trait changes, the device that came from it is replaced, and no other. An address that a request with an API key registered does not move, and numbers need the setting `keylessEvents.registerPaidChannels`.',
      ),
    consent: consentSchema
      .optional()
      .describe(
        'Whether people have agreed to messages to the addresses in their traits. `confirmed` (default): they have. `doubleOptIn`: an email address that takes no messages yet gets one mail that asks for a confirmation, and nothing else until then; so does a choice of a topic with a double opt-in. Also holds for the people of `/compat/…`. Other channels cannot be asked by mail and are registered as with `confirmed`.',
      ),
  })
  .meta({ examples: [{ devicesFromTraits: true, consent: 'doubleOptIn' }] });

export const putCdp = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Connect a customer data platform',
  description:
    "Creates a write key for the app. Segment's and RudderStack's libraries, on servers and in apps, send people and events to `/i/cdp/<app id>` with it. `identify` becomes a person: traits are tags, `email` and `phone` are devices too (see `devicesFromTraits`), `context.timezone` and `context.locale` are the time zone and the tag `language`. `context.device.token` of any call with a `userId` becomes an apns device where `context.device.type` (or `context.os.name`) is one of Apple's, an fcm device where it is Android. Each request creates a new key; the previous one stays valid for 24 hours. The request needs no body.",
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'cdp.put',
  body: cdpConfig,
  optionalBody: true,
  responses: {
    200: { description: 'A new key, replacing the previous one.', schema: cdpSchema },
    201: { description: 'The first key.', schema: cdpSchema },
  },
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    const settings = present(call.body ?? {});
    const { integration, created } = await call
      .to<CdpProtocol>(app)
      .ask('cdp.put', { secretHash, settings });
    const isAsked = integration.consent === 'doubleOptIn';
    const body = {
      ...integrationView(integration),
      ...(await senderWarnings(call, app, 'consent', isAsked)),
      writeKey: text,
      path: `/i/cdp/${call.param('appId')}`,
    };
    return { status: created ? 201 : 200, body };
  },
});

export const updateCdp = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Update the customer data platform',
  description:
    'Fields you omit keep their value, and the write key stays. A change applies to calls that arrive later: devices that exist stay.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'cdp.configure',
  body: cdpConfig,
  responses: { 200: { description: 'The integration.', schema: integrationSchema } },
  async handle(call) {
    const settings = present(call.body);
    const app = call.app();
    const integration = await call.to<CdpProtocol>(app).ask('cdp.configure', { settings });
    const isAsked = integration.consent === 'doubleOptIn';
    const warned = await senderWarnings(call, app, 'consent', isAsked);
    return { status: 200, body: { ...integrationView(integration), ...warned } };
  },
});

const writeKeySchema = z
  .object({ writeKey: z.string().describe('Shown only once; keep it secret.') })
  .meta({ examples: [{ writeKey: exampleWriteKey }] });

/**
 * Makes another write key for an app, under the path of its other secrets. The same as connecting
 * the platform again.
 */
export const createWriteKey = route({
  method: 'POST',
  path: '/v1/apps/:appId/write-key',
  summary: 'Create a write key',
  description:
    'Creates a new write key for the customer data platform, like connecting it does. The previous key stays valid for 24 hours. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  responses: { 201: { description: 'The new key.', schema: writeKeySchema } },
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    await call.to<CdpProtocol>(app).ask('cdp.put', { secretHash });
    return { status: 201, body: { writeKey: text } };
  },
});

/**
 * Disconnects a customer-data platform. Its write keys stop working before the response, because
 * the app's actor checks them with every call.
 */
export const deleteCdp = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Disconnect the customer data platform',
  description:
    'Revokes its write key, and the previous one, at once. Data already received is kept.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'cdp.remove',
  responses: { 204: { description: 'Disconnected.' } },
  async handle(call) {
    await call.to<CdpProtocol>(call.app()).ask('cdp.remove', {});
    return { status: 204 };
  },
});
