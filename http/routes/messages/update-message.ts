// Changes a saved message.

import { z } from 'zod';
import type { MessageChange, MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { judgedChange } from './judged-content.ts';
import { messagePatch, messageSchema, messageView } from './message-shape.ts';

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

export const updateMessage = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/messages/:id',
  summary: 'Update a message',
  description:
    "Fields you send are replaced; `data`, `payload`, `buttons` and `localizations` as a whole. `null` removes a field. Messages already sent or being sent don't change: campaigns copy a message when an occurrence begins, journeys when they are activated. `inUse` lists what sends it; correct a live journey with `PATCH /v1/apps/{appId}/journeys/{id}/steps/{stepId}`. In-app messages show the change from now on. A change that would leave an in-app message or an active campaign without content it needs is a 409 that names it.",
  tag: 'Messages',
  access: key('write'),
  changes: ['message'],
  lane: 'standard',
  edits: 'message.update',
  params: { id: 'Message id.' },
  body: messagePatch,
  responses: { 200: { description: 'The updated message.', schema: changedSchema } },
  refusals: [404, 409],
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
