// Sends that failed after every retry, and sending them again.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { channelSchema, orderedQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { deadLetterSchema, deadLetterView, laneOfLetter } from './send-view.ts';

export const listDeadLetters = route({
  method: 'GET',
  path: '/v1/apps/:appId/dead-letters',
  summary: 'List dead letters',
  description:
    'Sends to one device that failed after every retry, including those that a redrive has delivered since.',
  tag: 'Notifications',
  access: key('read'),
  reads: ['dead-letter'],
  query: z.object({
    lane: laneOfLetter.optional(),
    channel: channelSchema.optional(),
    reason: z.string().min(1).max(128).optional(),
    ...orderedQuery,
  }),
  responses: {
    200: { description: 'Dead letters.', schema: pageWithExample(deadLetterSchema) },
  },
  async handle(call) {
    const { lane, reason, channel, order, limit, cursor } = call.query;
    const { items, nextCursor } = await call
      .to<TransactionalProtocol>(call.app())
      .ask('dead_letter.list', present({ lane, reason, channel, order, limit, cursor }));
    return { status: 200, body: { items: items.map(deadLetterView), nextCursor } };
  },
});

const idsMax = 1_000;

const redriveBody = z
  .object({
    ids: z
      .array(z.string().regex(/^dl_\w{26}$/, 'expected a dead letter id'))
      .min(1)
      .max(idsMax)
      .optional(),
    reason: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Redrive all open dead letters with this reason.'),
    all: z.literal(true).optional().describe('Redrive all open dead letters.'),
    channel: channelSchema.optional().describe('With `reason` or `all`: of this channel only.'),
    lane: laneOfLetter.optional().describe('With `reason` or `all`: of this lane only.'),
  })
  .meta({
    examples: [{ ids: [exampleIds.deadLetter] }, { reason: 'unavailable', channel: 'email' }],
  });

export const redriveDeadLetters = route({
  method: 'POST',
  path: '/v1/apps/:appId/dead-letters/redrive',
  summary: 'Redrive dead letters',
  description: `Give exactly one of \`ids\`, \`reason\` and \`all\`; \`channel\` and \`lane\` narrow the last two. A dead letter with the reason \`unknown_outcome\` may have been delivered, so its person may get the message twice. At most ${idsMax} per request: repeat until \`redriven\` is 0. Dead letters that are being redriven or were delivered are skipped.`,
  tag: 'Notifications',
  access: key('send'),
  changes: ['dead-letter', 'notification', 'outcome'],
  body: redriveBody,
  responses: {
    202: {
      description: 'Number of dead letters that are being sent again.',
      schema: z.object({ redriven: z.int() }).meta({ examples: [{ redriven: 1 }] }),
    },
  },
  async handle(call) {
    const { channel, lane, ...which } = call.body;
    const chosen = present({ ...which, channel, lane });
    if (Object.keys(present(which)).length !== 1) {
      throw new FaultError(fieldFault('ids', 'give exactly one of ids, reason and all'));
    }
    for (const name of ['channel', 'lane'] as const)
      if (chosen[name] !== undefined && which.ids !== undefined)
        throw new FaultError(fieldFault(name, 'cannot be combined with ids'));
    // Skips those that do not match, so that 0 means what the description says.
    for (let cursor: string | undefined; ; ) {
      const from = cursor === undefined ? {} : { cursor };
      const body = { ...chosen, ...from };
      const { redriven, nextCursor } = await call
        .to<TransactionalProtocol>(call.app())
        .ask('dead_letter.redrive', body);
      if (redriven > 0 || nextCursor === null) return { status: 202, body: { redriven } };
      cursor = nextCursor;
    }
  },
});
