// Changes members of a message template, its handle among them.

import { key, route } from '../../route.ts';
import {
  templateChange,
  templateParams,
  templatePatch,
  templateSchema,
  templateView,
} from './template-shape.ts';

export const updateMessageTemplate = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/message-templates/:idOrName',
  summary: 'Update a message template',
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages and sends created from the template don't change. A new `name` is recorded in the audit log.",
  tag: 'Message templates',
  access: key('write'),
  lane: 'standard',
  params: templateParams,
  body: templatePatch,
  responses: { 200: { description: 'The updated template.', schema: templateSchema } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const change = templateChange(call.body);
    const template = call.param('idOrName');
    const changed = await call.ask(app, 'template.update', { template, change });
    return { status: 200, body: templateView(changed) };
  },
});
