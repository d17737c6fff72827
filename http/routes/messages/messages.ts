// The saved messages of an app.

import { z } from 'zod';
import type { MessageChange, MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf, nameSchema } from '../../call/schemas/schemas.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { Resource } from '../resource.ts';
import { judgedChange } from './judged-change.ts';
import { judgedContent } from './judged-content.ts';
import { messageBody, messagePatch, messageSchema, messageView } from './message-shape.ts';

const messages = new Resource({
  path: '/v1/apps/:appId/messages',
  params: { id: 'Message id.' },
  tag: 'Messages',
  noun: 'message',
  a: 'a message',
  prefix: 'msg',
  schema: messageSchema,
  view: messageView,
  actor: (call) => call.to<MessagesProtocol>(call.app()),
  named: (call) => ({ id: call.param('id') }),
});

export const createMessage = messages.create({
  description: `Reusable content, personalized with Liquid from tags. A template that cannot be rendered is rejected now, with an error that names the field. On their channels, \`payload.whatsapp\` and \`payload.kakao\` replace \`body\`. With \`templateName\` or \`templateId\` the message starts as a copy of that template, and fields you send with it override the template's; \`payload\` and \`localizations\` are replaced as a whole. It takes the template's \`design\` unless you send a \`body\`. At most ${limits.messagesMax.toLocaleString('en')} in an app.`,
  body: messageBody,
  creates: {
    kind: 'message.create',
    prefix: 'msg',
    read: '/v1/apps/:appId/messages/:id',
    alias: 'messageId',
  },
  responses: {
    201: {
      description: 'The message.',
      schema: messageSchema
        .extend({ messageId: z.string().describe('Same as `id`.') })
        .meta({ examples: [{ messageId: exampleIds.message, ...exampleOf(messageSchema) }] }),
    },
  },
  async handle(call) {
    const app = call.app();
    const named = namedTemplate(call, 'write');
    const { name, design, writtenFor } = call.body;
    const message = {
      content: judgedContent(call.body),
      ...present({ name, design, writtenFor }),
    };
    const made = await call.to<MessagesProtocol>(app).ask('message.create', { message, ...named });
    return { status: 201, body: { messageId: made.id, ...messageView(made) } };
  },
});

export const listMessages = messages.list({
  description:
    'A page of long messages may have fewer than `limit`; on the last page `nextCursor` is `null`. A page of a search looks at up to 1,000, so it can be empty before the last page.',
  asks: 'message.list',
});

export const readMessage = messages.read({ asks: 'message.read' });

const changedSchema = messageSchema
  .extend({
    inUse: z
      .array(
        z.object({
          type: z.enum(['campaign', 'journey']),
          id: z.string(),
          name: z.string(),
          state: z.string().describe("The campaign's state; `active` for a live journey."),
          copied: z
            .boolean()
            .describe(
              'Whether it is sending a copy made before this change. `false`: it will send the changed message.',
            ),
        }),
      )
      .describe(
        `Campaigns that are scheduled, sending or paused, and live journeys, that send this message; at most ${limits.messageUsesShown}.`,
      ),
    inUseTotal: z.int().min(0).describe('How many there are in all.'),
  })
  .meta({
    examples: [
      {
        ...exampleOf(messageSchema),
        inUse: [
          {
            type: 'campaign',
            id: exampleIds.campaign,
            name: 'Spring sale',
            state: 'scheduled',
            copied: false,
          },
        ],
        inUseTotal: 1,
      },
    ],
  });

export const updateMessage = messages.update({
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages already sent or being sent don't change: campaigns copy a message when an occurrence begins, journeys when they are activated. `inUse` lists what sends it; correct a live journey with `PATCH /v1/apps/{appId}/journeys/{id}/steps/{stepId}`. In-app messages show the change from now on. A change that would leave an in-app message or an active campaign without content it needs is a 409 that names it.",
  edits: 'message.update',
  body: messagePatch,
  responses: { 200: { description: 'The updated message.', schema: changedSchema } },
  refusals: [409],
  async handle(call) {
    const change = messageChange(call.body);
    const message = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.update', { id: call.param('id'), change });
    const { inUse, inUseTotal } = message;
    return { status: 200, body: { ...messageView(message), inUse: [...inUse], inUseTotal } };
  },
});

/** `null` removes a field. Throws the first fault of the fields it sets. */
function messageChange(body: z.output<typeof messagePatch>): MessageChange {
  const { content, removed } = judgedChange(body);
  const { name, design, writtenFor } = body;
  const gone = (['name', 'design', 'writtenFor'] as const).filter(
    (member) => body[member] === null,
  );
  return {
    content,
    removed: [...gone, ...removed],
    ...present({
      name: name ?? undefined,
      design: design ?? undefined,
      writtenFor: writtenFor ?? undefined,
    }),
  };
}

export const deleteMessage = messages.remove({
  description:
    'If an in-app message shows it, or an unfinished campaign sends it, the response is a 409 that names it.',
  refusals: [409],
  asks: 'message.delete',
});

/** A message may have no name. */
const duplicateMessageBody = z
  .object({
    name: nameSchema
      .nullish()
      .describe(
        'Default: "Copy of" and the name of the original. Without a name: its title, else its id.',
      ),
  })
  .meta({ examples: [{}, { name: 'Spring sale, second try' }] });

export const duplicateMessage = messages.duplicate({
  description: 'Creates a message with the same content. The body is optional.',
  body: duplicateMessageBody,
  asks: 'message.duplicate',
});
