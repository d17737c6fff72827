// Deletes an API key. It stops working before the response: every front drops it first.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';

export const deleteKey = route({
  method: 'DELETE',
  path: '/v1/keys/:id',
  summary: 'Delete an API key',
  description:
    'The key, and sessions that were opened with it, stop working before the response is sent. 409 for the last key that has the scope `admin` and no `appId`, unless the org has an owner who has signed in and can create another.',
  tag: 'Keys',
  access: key('admin'),
  changes: ['key', 'session'],
  lane: 'standard',
  edits: 'key.delete',
  params: { id: 'Key id, `key_…`; not the key itself.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    requireOrgKey(call, 'keys are');
    await call.to<AccountsProtocol>(call.org).ask('key.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
