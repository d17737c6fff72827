// Lists the saved messages of an app.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { messageSchema, messageView } from './message-shape.ts';

export const listMessages = route({
  method: 'GET',
  path: '/v1/apps/:appId/messages',
  summary: 'List messages',
  description:
    'A page of long messages may have fewer than `limit`; on the last page `nextCursor` is `null`. A page of a search looks at up to 1,000, so it can be empty before the last page.',
  tag: 'Messages',
  access: key('read'),
  reads: ['message'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Messages.', schema: countedPage(messageSchema) },
  },
  refusals: [404],
  async handle(call) {
    const page = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.list', present(call.query));
    return { status: 200, body: { ...page, items: page.items.map(messageView) } };
  },
});
