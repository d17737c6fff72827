// Creates a message template: copy saved under a handle.

import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { judgedContent } from '../messages/judged-content.ts';
import { templateBody, templateSchema, templateView } from './template-shape.ts';

export const createMessageTemplate = route({
  method: 'POST',
  path: '/v1/apps/:appId/message-templates',
  summary: 'Create a message template',
  description: `Saved copy under a handle. Messages and sends created from a template copy its content, so later edits or deletion don't affect them. Validated like a message. A duplicate handle is a 409. At most ${limits.templatesMax.toLocaleString('en')} in an app.`,
  tag: 'Message templates',
  access: key('write'),
  changes: ['message-template'],
  lane: 'standard',
  body: templateBody,
  creates: {
    kind: 'template.create',
    prefix: 'tpl',
    read: '/v1/apps/:appId/message-templates/:idOrName',
  },
  responses: { 201: { description: 'The template.', schema: templateSchema } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const { name, design } = call.body;
    const template = { name, content: judgedContent(call.body), ...present({ design }) };
    const made = await call.to<TemplatesProtocol>(app).ask('template.create', template);
    return { status: 201, body: templateView(made) };
  },
});
