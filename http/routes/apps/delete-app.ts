// Deletes an app with all its data and keys.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';

export const deleteApp = route({
  method: 'DELETE',
  path: '/v1/apps/:appId',
  summary: 'Delete an app and all its data',
  description: "Cannot be undone. The app's keys stop working, and pending sends are dropped.",
  tag: 'Apps',
  access: key('admin'),
  changes: ['app'],
  lane: 'standard',
  edits: 'app.delete',
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    requireOrgKey(call, 'apps are');
    await call.to<AccountsProtocol>(call.app()).ask('app.delete', {});
    return { status: 204 };
  },
});
