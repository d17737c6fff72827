// Lists the message templates of an app.

import { z } from 'zod';
import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { templateSchema, templateView } from './template-shape.ts';

export const listMessageTemplates = route({
  method: 'GET',
  path: '/v1/apps/:appId/message-templates',
  summary: 'List message templates',
  description:
    'A page of long templates may have fewer than `limit`; on the last page `nextCursor` is `null`. A page of a search looks at up to 1,000, so it can be empty before the last page.',
  tag: 'Message templates',
  access: key('read'),
  reads: ['message-template'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Templates.', schema: countedPage(templateSchema) },
  },
  refusals: [404],
  async handle(call) {
    const page = await call
      .to<TemplatesProtocol>(call.app())
      .ask('template.list', present(call.query));
    return { status: 200, body: { ...page, items: page.items.map(templateView) } };
  },
});
