// Reads one feature flag.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { key, route } from '../../call/route.ts';
import { flagSchema, flagView } from './flag-shape.ts';

export const readFlag = route({
  method: 'GET',
  path: '/v1/apps/:appId/flags/:key',
  summary: 'Read a feature flag',
  tag: 'Feature flags',
  access: key('read'),
  reads: ['flag'],
  lane: 'standard',
  params: { key: 'Flag key, or flag id.' },
  responses: { 200: { description: 'The flag.', schema: flagSchema } },
  refusals: [404],
  async handle(call) {
    const flag = await call
      .to<FlagsProtocol>(call.app())
      .ask('flag.read', { flag: call.param('key') });
    return { status: 200, body: flagView(flag) };
  },
});
