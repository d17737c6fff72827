// Corrects the message of one send step, also while the journey is live.

import { z } from 'zod';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { membersOf } from '../../call/body/unknown-members.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { needsRead } from '../message-templates/named-template.ts';
import { journeySchema, journeyView, messageOfStep } from './journey-shape.ts';
import { namesTemplate } from './step-templates.ts';

const { shape } = messageOfStep;
const correctedMessage = membersOf(
  z.record(z.string(), z.unknown()),
  () => Object.keys(shape),
  shape,
);

export const correctStep = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/journeys/:id/steps/:stepId',
  summary: "Correct a journey step's message",
  description:
    'Gives one `send` step another message; the rest of the journey stays the same. The journey may be live: people who reach the step next get the new message, and sends already queued keep theirs. Repeat the `messageId` of the step to take over an edit of that saved message. A step of another type is a 409.',
  tag: 'Journeys',
  access: key('write'),
  changes: ['journey'],
  edits: 'journey.correct',
  params: { id: 'Journey id.', stepId: "The step's `id`." },
  body: z
    .object({
      messageId: z
        .string()
        .min(1)
        .max(64)
        .nullish()
        .describe('A saved message. Give this or `message`.'),
      message: correctedMessage
        .nullish()
        .describe(
          'Inline content, with the fields of a message; `templateName` or `templateId` is the template that it starts from.',
        ),
    })
    .meta({
      examples: [
        { messageId: exampleIds.message },
        { message: { title: 'Hello', body: 'Hi {{ first_name }}' } },
      ],
    }),
  responses: { 200: { description: 'The corrected journey.', schema: journeySchema } },
  refusals: [409],
  async handle(call) {
    const { messageId, message } = call.body;
    if (namesTemplate([{ message }])) needsRead(call);
    const journey = await call.to<JourneysProtocol>(call.app()).ask('journey.correct', {
      id: call.param('id'),
      step: call.param('stepId'),
      ...(messageId == null ? {} : { messageId }),
      ...(message == null ? {} : { message }),
    });
    return { status: 200, body: journeyView(journey) };
  },
});
