// Reads one in-app message with its statistics.

import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { key, route } from '../../call/route.ts';
import { inAppSchema, inAppView } from './in-app-shape.ts';

export const readInAppMessage = route({
  method: 'GET',
  path: '/v1/apps/:appId/in-app-messages/:id',
  summary: 'Read an in-app message',
  tag: 'In-app messages',
  access: key('read'),
  reads: ['in-app-message'],
  lane: 'standard',
  params: { id: 'In-app message id.' },
  responses: { 200: { description: 'The in-app message.', schema: inAppSchema } },
  refusals: [404],
  async handle(call) {
    const message = await call
      .to<InAppProtocol>(call.app())
      .ask('inapp.read', { id: call.param('id') });
    return { status: 200, body: inAppView(message) };
  },
});
