// The calling key's org.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import { orgNameBody, orgSchema, orgView } from './org-view.ts';

export const readOrg = route({
  method: 'GET',
  path: '/v1/org',
  summary: 'Read your org',
  tag: 'Org',
  access: key('read'),
  reads: ['org'],
  responses: { 200: { description: "The key's org.", schema: orgSchema } },
  async handle(call) {
    return {
      status: 200,
      body: orgView(await call.to<AccountsProtocol>(call.org).ask('org.read', {})),
    };
  },
});

export const updateOrg = route({
  method: 'PATCH',
  path: '/v1/org',
  summary: 'Rename your org',
  description: 'Only the name can be changed; the operator sets the limits.',
  tag: 'Org',
  access: key('admin'),
  changes: ['org'],
  edits: 'org.rename',
  body: orgNameBody.partial().meta({ examples: [{ name: 'Acme Retail' }] }),
  responses: { 200: { description: 'The updated org.', schema: orgSchema } },
  async handle(call) {
    requireOrgKey(call, 'the org is');
    const change = present({ name: call.body.name });
    const org = await call.to<AccountsProtocol>(call.org).ask('org.rename', change);
    return { status: 200, body: orgView(org) };
  },
});
