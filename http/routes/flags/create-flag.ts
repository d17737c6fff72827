// Creates a feature flag.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { flagBody, flagInput, flagSchema, flagView } from './flag-shape.ts';

export const createFlag = route({
  method: 'POST',
  path: '/v1/apps/:appId/flags',
  summary: 'Create a feature flag',
  description: `The flag is on for people who match \`filter\` and whose rollout position is below \`rolloutPercent\`. The position is derived from the flag's key and the subscriber's id, so each flag rolls out to different people. At most ${limits.flagsMax.toLocaleString('en')} in an app.`,
  tag: 'Feature flags',
  access: key('write'),
  changes: ['flag'],
  lane: 'standard',
  body: flagBody,
  creates: { kind: 'flag.create', prefix: 'flg', read: '/v1/apps/:appId/flags/:key' },
  responses: { 201: { description: 'The flag.', schema: flagSchema } },
  refusals: [404, 409],
  async handle(call) {
    const input = flagInput(call.body);
    const flag = await call
      .to<FlagsProtocol>(call.app())
      .ask('flag.create', { key: call.body.key, input });
    return { status: 201, body: flagView(flag) };
  },
});
