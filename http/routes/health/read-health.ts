// Whether the process is up. It says nothing about the stores (see `/readyz`): a supervisor must
// not restart a process that is only draining.

import { z } from 'zod';
import { anybody, route } from '../../call/route.ts';

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
