// Lists the message templates of an app.

import { z } from 'zod';
import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { templateSchema, templateView } from './template-shape.ts';

export const listMessageTemplates = route({
  method: 'GET',
  path: '/v1/apps/:appId/message-templates',
  summary: 'List message templates',
  description:
    'A page of long templates may have fewer than `limit`; on the last page `nextCursor` is `null`.',
  tag: 'Message templates',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Templates, oldest first.', schema: pageWithExample(templateSchema) },
  },
  refusals: [404],
  async handle(call) {
    const { limit, cursor } = call.query;
    const page = await call
      .to<TemplatesProtocol>(call.app())
      .ask('template.list', present({ limit, cursor }));
    return { status: 200, body: { ...page, items: page.items.map(templateView) } };
  },
});
