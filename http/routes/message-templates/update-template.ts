// Changes a message template, its handle included.

import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { judgedChange } from '../messages/judged-content.ts';
import { templateParams, templatePatch, templateSchema, templateView } from './template-shape.ts';

export const updateMessageTemplate = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/message-templates/:idOrName',
  summary: 'Update a message template',
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages and sends created from the template don't change. A new `name` is recorded in the audit log.",
  tag: 'Message templates',
  access: key('write'),
  changes: ['message-template'],
  lane: 'standard',
  edits: 'template.update',
  params: templateParams,
  body: templatePatch,
  responses: { 200: { description: 'The updated template.', schema: templateSchema } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const { name, design } = call.body;
    const { content, removed } = judgedChange(call.body);
    const change = {
      content,
      removed: design === null ? (['design', ...removed] as const) : removed,
      ...present({ name, design: design ?? undefined }),
    };
    const template = call.param('idOrName');
    const changed = await call
      .to<TemplatesProtocol>(app)
      .ask('template.update', { template, change });
    return { status: 200, body: templateView(changed) };
  },
});
