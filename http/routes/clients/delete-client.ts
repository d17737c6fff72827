// Deletes a client workspace: its keys stop working, and its apps and their data are removed. Its
// usage stays on the invoice.

import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';

export const deleteClient = route({
  method: 'DELETE',
  path: '/v1/org/clients/:id',
  summary: 'Delete a client workspace',
  description:
    "Its keys stop working before the response is sent, and its apps with all their data are deleted. What it used stays in your org's usage and invoices. This cannot be undone.",
  tag: 'Clients',
  access: key('admin'),
  changes: ['client'],
  lane: 'standard',
  edits: 'client.close',
  params: { id: 'Org id of the client workspace.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    requireOrgKey(call, 'client workspaces are');
    const { to, workspace } = await call
      .to<ClientsProtocol>(call.org)
      .ask('client.close', { clientId: call.param('id') });
    await call.to<ClientsProtocol>(to).ask('workspace.receive', { workspace }, { by: -1 });
    return { status: 204 };
  },
});
