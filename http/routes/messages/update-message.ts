// Changes members of a saved message.

import type { z } from 'zod';
import type { MessageChange, MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { judgedChange } from './judged-content.ts';
import { messagePatch, messageSchema, messageView } from './message-shape.ts';

export const updateMessage = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/messages/:id',
  summary: 'Change a message',
  description:
    'Members that are given replace, `data`, `payload`, `buttons` and `localizations` wholesale; `null` removes one. What was sent stays as it was sent; an in-app message shows the change from now on. What would leave an in-app message, or a campaign on its way, without what it needs is a 409 that names it.',
  tag: 'Messages',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the message.' },
  body: messagePatch,
  responses: { 200: { description: 'The message as it is now.', schema: messageSchema } },
  refusals: [404, 409],
  async handle(call) {
    const change = messageChange(call.body);
    const message = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.update', { id: call.param('id'), change });
    return { status: 200, body: messageView(message) };
  },
});

/** A change of a message: what is `null` goes. Throws the first fault of the members given. */
function messageChange(body: z.output<typeof messagePatch>): MessageChange {
  const { content, removed } = judgedChange(body);
  const gone = body.name === null ? (['name', ...removed] as const) : removed;
  return { content, removed: gone, ...present({ name: body.name ?? undefined }) };
}
