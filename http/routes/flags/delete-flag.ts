// Deletes a feature flag.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteFlag = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/flags/:key',
  summary: 'Delete a feature flag',
  description: 'Deleted flags are missing from the SDK response, which apps treat as off.',
  tag: 'Feature flags',
  access: key('write'),
  changes: ['flag'],
  lane: 'standard',
  edits: 'flag.delete',
  params: { key: 'Flag key, or flag id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    await call.to<FlagsProtocol>(call.app()).ask('flag.delete', { flag: call.param('key') });
    return { status: 204 };
  },
});
