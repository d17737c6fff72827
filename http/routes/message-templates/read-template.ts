// Reads one message template.

import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { key, route } from '../../call/route.ts';
import { templateParams, templateSchema, templateView } from './template-shape.ts';

export const readMessageTemplate = route({
  method: 'GET',
  path: '/v1/apps/:appId/message-templates/:idOrName',
  summary: 'Read a message template',
  tag: 'Message templates',
  access: key('read'),
  reads: ['message-template'],
  lane: 'standard',
  params: templateParams,
  responses: { 200: { description: 'The template.', schema: templateSchema } },
  refusals: [404],
  async handle(call) {
    const template = call.param('idOrName');
    return {
      status: 200,
      body: templateView(
        await call.to<TemplatesProtocol>(call.app()).ask('template.read', { template }),
      ),
    };
  },
});
