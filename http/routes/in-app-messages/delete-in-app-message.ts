// Deletes an in-app message; it disappears from every app and inbox.

import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteInAppMessage = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/in-app-messages/:id',
  summary: 'Delete an in-app message',
  description:
    "The saved message is kept. The in-app message's stats and dismissals are deleted; people's events are kept.",
  tag: 'In-app messages',
  access: key('write'),
  changes: ['in-app-message'],
  lane: 'standard',
  edits: 'inapp.delete',
  params: { id: 'In-app message id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    await call.to<InAppProtocol>(call.app()).ask('inapp.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
