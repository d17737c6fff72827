// Makes a feature flag.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { key, route } from '../../route.ts';
import { flagBody, flagInput, flagSchema, flagView } from './flag-shape.ts';

export const createFlag = route({
  method: 'POST',
  path: '/v1/apps/:id/flags',
  summary: 'Create a feature flag',
  description:
    "On for people who match `filter` and whose place in the rollout is below `rolloutPercent`. The place follows from the flag's key and the subscriber's id alone, and differs from flag to flag.",
  tag: 'Feature flags',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  body: flagBody,
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
