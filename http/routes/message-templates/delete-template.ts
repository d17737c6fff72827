// Deletes a message template; messages made from it keep their own copy.

import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { key, route } from '../../call/route.ts';
import { templateParams } from './template-shape.ts';

export const deleteMessageTemplate = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/message-templates/:idOrName',
  summary: 'Delete a message template',
  description:
    'Requests that still name the handle get a 404. Messages and sends created from the template are kept. Recorded in the audit log.',
  tag: 'Message templates',
  access: key('write'),
  changes: ['message-template'],
  lane: 'standard',
  edits: 'template.delete',
  params: templateParams,
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    const template = call.param('idOrName');
    await call.to<TemplatesProtocol>(call.app()).ask('template.delete', { template });
    return { status: 204 };
  },
});
