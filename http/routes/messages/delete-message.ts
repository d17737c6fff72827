// Deletes a saved message that nothing uses.

import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteMessage = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/messages/:id',
  summary: 'Delete a message',
  description:
    'If an in-app message shows it, or an unfinished campaign sends it, the response is a 409 that names it.',
  tag: 'Messages',
  access: key('write'),
  changes: ['message'],
  lane: 'standard',
  edits: 'message.delete',
  params: { id: 'Message id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<MessagesProtocol>(call.app()).ask('message.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
