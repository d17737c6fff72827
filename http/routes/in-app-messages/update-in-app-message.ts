// Changes what an in-app message shows, when, or to whom.

import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { key, route } from '../../route.ts';
import { inAppInput, inAppPatch, inAppSchema, inAppView } from './in-app-shape.ts';

export const updateInAppMessage = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/in-app-messages/:id',
  summary: 'Change an in-app message',
  description:
    'Members that are given replace; `null` removes `filter`, `startAt` or `endAt`. Who dismissed it keeps not seeing it.',
  tag: 'In-app messages',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the in-app message.' },
  body: inAppPatch,
  responses: { 200: { description: 'The in-app message as it is now.', schema: inAppSchema } },
  refusals: [404],
  async handle(call) {
    const change = { id: call.param('id'), input: inAppInput(call.body) };
    const message = await call.to<InAppProtocol>(call.app()).ask('inapp.update', change);
    return { status: 200, body: inAppView(message) };
  },
});
