// How far an app is with asking addresses for their confirmation.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { OptInProtocol } from '../../../actors/sending/opt-in/protocol.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { consentWarnings, noSender } from './sender-warnings.ts';

export const readOptIns = route({
  method: 'GET',
  path: '/v1/apps/:appId/opt-ins',
  summary: 'Count sign-ups by state',
  description: `How many email addresses are asked for their confirmation: those of forms and sign-ups, and those of imports and platforms with \`consent: "doubleOptIn"\`. What is queued is sent at ${limits.optInOwedPerMinute} mails per minute. After a restore, nothing that was queued in the backup is sent: import the file again, which asks those who had not been asked before the backup.`,
  tag: 'Sign-ups',
  access: key('read'),
  reads: ['subscriber', 'device', 'notification'],
  responses: {
    200: {
      description: 'The counts.',
      schema: z
        .object({
          queued: z.int().min(0).describe('Their mail is still to be sent.'),
          waiting: z
            .int()
            .min(0)
            .describe(
              'Their mail was sent, and nobody has confirmed it. Ends with the link, after 7 days; for imports after 90.',
            ),
          confirmed: z.int().min(0).describe('Confirmations so far.'),
          mailsPerMinute: z.int(),
          nextMailAt: instantSchema.nullable().describe('`null` if nothing is queued.'),
          ...consentWarnings,
        })
        .meta({
          examples: [
            {
              queued: 1_800,
              waiting: 312,
              confirmed: 95,
              mailsPerMinute: limits.optInOwedPerMinute,
              nextMailAt: exampleInstant(),
            },
          ],
        }),
    },
  },
  async handle(call) {
    const { queued, waiting, confirmed, nextMs, hasSender } = await call
      .to<OptInProtocol>(call.app())
      .ask('opt_in.count', {});
    const isStuck = queued + waiting > 0 && !hasSender;
    const body = {
      queued,
      waiting,
      confirmed,
      mailsPerMinute: limits.optInOwedPerMinute,
      nextMailAt: nextMs === null ? null : instant(nextMs),
      ...(isStuck ? { warnings: [noSender('queued')] } : {}),
    };
    return { status: 200, body };
  },
});
