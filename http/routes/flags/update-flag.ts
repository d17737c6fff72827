// Changes a feature flag.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { flagInput, flagPatch, flagSchema, flagView } from './flag-shape.ts';

export const updateFlag = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/flags/:key',
  summary: 'Update a feature flag',
  description:
    'Fields you send are replaced; `null` removes `filter` or `variants`. Raising `rolloutPercent` only adds people, lowering it only removes people.',
  tag: 'Feature flags',
  access: key('write'),
  changes: ['flag'],
  lane: 'standard',
  edits: 'flag.update',
  params: { key: 'Flag key, or flag id.' },
  body: flagPatch,
  responses: { 200: { description: 'The updated flag.', schema: flagSchema } },
  refusals: [404],
  async handle(call) {
    const change = { flag: call.param('key'), input: flagInput(call.body) };
    const flag = await call.to<FlagsProtocol>(call.app()).ask('flag.update', {
      ...change,
      ...present({ key: call.body.key }),
    });
    return { status: 200, body: flagView(flag) };
  },
});
