// Changes a saved message.

import type { z } from 'zod';
import type { MessageChange, MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { judgedChange } from './judged-content.ts';
import { messagePatch, messageSchema, messageView } from './message-shape.ts';

export const updateMessage = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/messages/:id',
  summary: 'Update a message',
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages already sent don't change; in-app messages show the change from now on. A change that would leave an in-app message or an active campaign without content it needs is a 409 that names it.",
  tag: 'Messages',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Message id.' },
  body: messagePatch,
  responses: { 200: { description: 'The updated message.', schema: messageSchema } },
  refusals: [404, 409],
  async handle(call) {
    const change = messageChange(call.body);
    const message = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.update', { id: call.param('id'), change });
    return { status: 200, body: messageView(message) };
  },
});

/** `null` removes a field. Throws the first fault of the fields it sets. */
function messageChange(body: z.output<typeof messagePatch>): MessageChange {
  const { content, removed } = judgedChange(body);
  const gone = body.name === null ? (['name', ...removed] as const) : removed;
  return { content, removed: gone, ...present({ name: body.name ?? undefined }) };
}
