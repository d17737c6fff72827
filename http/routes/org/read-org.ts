// Reads the calling key's org.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { orgSchema, orgView } from './org-view.ts';

export const readOrg = route({
  method: 'GET',
  path: '/v1/org',
  summary: 'Read your org',
  tag: 'Org',
  access: key('read'),
  reads: ['org'],
  lane: 'standard',
  responses: { 200: { description: "The key's org.", schema: orgSchema } },
  async handle(call) {
    return {
      status: 200,
      body: orgView(await call.to<AccountsProtocol>(call.org).ask('org.read', {})),
    };
  },
});
