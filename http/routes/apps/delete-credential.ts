// Removes a channel's credential; sends on that channel then end as not configured.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { credentialNamed, credentialParam } from './credential-view.ts';

export const deleteCredential = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/credentials/:channel',
  summary: 'Delete a credential',
  description: 'Web push keys cannot be deleted; upload new keys to replace them.',
  tag: 'Credentials',
  access: key('admin'),
  changes: ['credential'],
  lane: 'standard',
  edits: 'credential.delete',
  params: { channel: credentialParam },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const channel = credentialNamed(call.param('channel'));
    await call.to<AccountsProtocol>(app).ask('credential.delete', { channel });
    return { status: 204 };
  },
});
