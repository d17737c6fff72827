// Whether the server lives, and whether it is ready for traffic.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { anybody, route } from '../../call/route.ts';

/**
 * Whether the process is up. It says nothing about the stores (see `/readyz`): a supervisor must
 * not restart a process that is only draining.
 */
export const readHealth = route({
  method: 'GET',
  path: '/healthz',
  summary: 'Liveness check',
  tag: 'Health',
  access: anybody,
  reads: [],
  lane: 'none',
  responses: {
    200: {
      description: 'The server is running.',
      schema: z.object({ status: z.literal('ok') }).meta({ examples: [{ status: 'ok' }] }),
    },
  },
  async handle() {
    return { status: 200, body: { status: 'ok' }, headers: [['cache-control', 'no-store']] };
  },
});

/**
 * Whether calls are served: all partitions are open and nothing is draining. For load balancers.
 */
export const readReadiness = route({
  method: 'GET',
  path: '/readyz',
  summary: 'Readiness check',
  description: 'Fails while the server starts, and as soon as it begins to shut down.',
  tag: 'Health',
  access: anybody,
  reads: [],
  lane: 'none',
  responses: {
    200: {
      description: 'Ready.',
      schema: z
        .object({
          status: z.literal('ready'),
          warnings: z
            .array(
              z.object({
                code: z.enum(['clock_behind', 'clock_unconfirmed', 'quarantined']),
                seconds: z.int().optional().describe('For the clock: the difference in seconds.'),
                count: z
                  .int()
                  .optional()
                  .describe('For the quarantine: the number of orgs and apps.'),
                message: z.string(),
              }),
            )
            .optional()
            .describe(
              "Warnings about the server's clock, and about orgs and apps that could not be read at startup. The server serves all others, and the operator should look into it. Absent if there are none.",
            ),
        })
        .meta({ examples: [{ status: 'ready' }] }),
    },
  },
  refusals: [503],
  async handle(call) {
    if (!call.edge.ready()) {
      throw new FaultError(
        fault('shutting_down', 'not ready: the server is starting or stopping', {
          retryAfterSeconds: 1,
        }),
      );
    }
    const warnings = call.edge.clockWarnings?.() ?? [];
    const body = { status: 'ready', ...(warnings.length === 0 ? {} : { warnings }) };
    return { status: 200, body, headers: [['cache-control', 'no-store']] };
  },
});
