// Changes an in-app message: its content, schedule or audience.

import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { key, route } from '../../call/route.ts';
import { inAppInput, inAppPatch, inAppSchema, inAppView } from './in-app-shape.ts';

export const updateInAppMessage = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/in-app-messages/:id',
  summary: 'Update an in-app message',
  description:
    "Fields you send are replaced; `null` removes `filter`, `startAt` or `endAt`. People who dismissed the message still don't see it.",
  tag: 'In-app messages',
  access: key('write'),
  changes: ['in-app-message'],
  lane: 'standard',
  edits: 'inapp.update',
  params: { id: 'In-app message id.' },
  body: inAppPatch,
  responses: { 200: { description: 'The updated in-app message.', schema: inAppSchema } },
  refusals: [404],
  async handle(call) {
    const change = { id: call.param('id'), input: inAppInput(call.body) };
    const message = await call.to<InAppProtocol>(call.app()).ask('inapp.update', change);
    return { status: 200, body: inAppView(message) };
  },
});
