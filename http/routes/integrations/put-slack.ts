// Connects a chat workspace: one message when a campaign has finished sending.

import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { key, route } from '../../call/route.ts';
import { refuseUncallable } from '../../call/schemas/callable-url.ts';
import { destinationBody, destinationSchema } from './destination-view.ts';
import { slackConfig } from './webhook-config.ts';

export const putSlack = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/slack',
  summary: 'Connect a chat workspace',
  description:
    "Posts a message to the workspace's incoming webhook when a campaign has finished sending, with totals of devices per channel. Listed and retried like other webhooks, one at a time; a message that the workspace refuses with 400, 403, 404 or 410 is `dead` at once.",
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'destination.put',
  body: slackConfig,
  responses: {
    200: { description: 'Changed.', schema: destinationSchema },
    201: { description: 'Connected.', schema: destinationSchema },
  },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const { url, enabled } = call.body;
    refuseUncallable('url', url, call.edge.config);
    const input = { url, events: ['campaign.completed'], headers: {}, concurrency: 1, enabled };
    const { destination, created } = await call
      .to<WebhooksProtocol>(app)
      .ask('destination.put', { type: 'slack', input });
    return { status: created ? 201 : 200, body: destinationBody(destination) };
  },
});
