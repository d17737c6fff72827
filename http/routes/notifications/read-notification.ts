// What came of a send. An id that this app never queued reads as pending, whoever made it up.

import { key, route } from '../../route.ts';
import { sendSchema, sendView } from './send-view.ts';

export const readNotification = route({
  method: 'GET',
  path: '/v1/apps/:appId/notifications/:id',
  summary: 'Read what came of a send',
  description:
    "An id that this app never queued, or whose receipts aged out with the app's events, reads as `pending` with no outcomes.",
  tag: 'Notifications',
  access: key('send', 'read'),
  lane: 'standard',
  params: { id: 'Id of the send.' },
  responses: { 200: { description: 'The send.', schema: sendSchema } },
  refusals: [404],
  async handle(call) {
    const send = await call.ask(call.app(), 'transactional.read', { id: call.param('id') });
    return { status: 200, body: sendView(send) };
  },
});
