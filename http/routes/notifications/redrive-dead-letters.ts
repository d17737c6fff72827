// Sends dead letters again: an operator's decision, so it says which ones.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';

const idsMax = 1_000;

const redriveBody = z
  .object({
    ids: z
      .array(z.string().regex(/^dl_\w{26}$/, 'expected the id of a dead letter'))
      .min(1)
      .max(idsMax)
      .optional(),
    reason: z.string().min(1).max(128).optional().describe('All open ones with this reason.'),
    all: z.literal(true).optional().describe('All open ones.'),
  })
  .meta({ examples: [{ ids: [exampleIds.deadLetter] }, { reason: 'unavailable' }] });

export const redriveDeadLetters = route({
  method: 'POST',
  path: '/v1/apps/:appId/dead-letters/redrive',
  summary: 'Send dead letters again',
  description: `Give one of \`ids\`, \`reason\` and \`all\`. At most ${idsMax} a call: call again until \`redriven\` is 0. Those that are under way or have landed are left alone.`,
  tag: 'Notifications',
  access: key('send'),
  lane: 'standard',
  body: redriveBody,
  responses: {
    202: {
      description: 'How many are on their way again.',
      schema: z.object({ redriven: z.int() }).meta({ examples: [{ redriven: 1 }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const chosen = present(call.body);
    if (Object.keys(chosen).length !== 1) {
      throw new FaultError(fieldFault('ids', 'give exactly one of ids, reason and all'));
    }
    // On past those that do not match, so that 0 means what the description says.
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
