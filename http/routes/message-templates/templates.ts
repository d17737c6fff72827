// The message templates of an app: copy saved under a handle.

import type { TemplatesProtocol } from '../../../actors/content/templates/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { judgedChange } from '../messages/judged-change.ts';
import { judgedContent } from '../messages/judged-content.ts';
import { Resource } from '../resource.ts';
import {
  templateBody,
  templateParams,
  templatePatch,
  templateSchema,
  templateView,
} from './template-shape.ts';

const templates = new Resource({
  path: '/v1/apps/:appId/message-templates',
  params: templateParams,
  tag: 'Message templates',
  noun: 'message-template',
  a: 'a message template',
  the: 'template',
  prefix: 'tpl',
  schema: templateSchema,
  view: templateView,
  actor: (call) => call.to<TemplatesProtocol>(call.app()),
  named: (call) => ({ template: call.param('idOrName') }),
});

export const createMessageTemplate = templates.create({
  description: `Saved copy under a handle. Messages and sends created from a template copy its content, so later edits or deletion don't affect them. Validated like a message. A duplicate handle is a 409. At most ${limits.templatesMax.toLocaleString('en')} in an app.`,
  body: templateBody,
  asks: 'template.create',
  says: ({ body }) => ({
    name: body.name,
    content: judgedContent(body),
    ...present({ design: body.design }),
  }),
});

export const listMessageTemplates = templates.list({
  description:
    'A page of long templates may have fewer than `limit`; on the last page `nextCursor` is `null`. A page of a search looks at up to 1,000, so it can be empty before the last page.',
  asks: 'template.list',
});

export const readMessageTemplate = templates.read({ asks: 'template.read' });

export const updateMessageTemplate = templates.update({
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages and sends created from the template don't change. A new `name` is recorded in the audit log.",
  body: templatePatch,
  refusals: [409],
  asks: 'template.update',
  says: ({ body }) => {
    const { name, design } = body;
    const { content, removed } = judgedChange(body);
    const change = {
      content,
      removed: design === null ? (['design', ...removed] as const) : removed,
      ...present({ name, design: design ?? undefined }),
    };
    return { change };
  },
});

export const deleteMessageTemplate = templates.remove({
  description:
    'Requests that still name the handle get a 404. Messages and sends created from the template are kept. Recorded in the audit log.',
  asks: 'template.delete',
});
