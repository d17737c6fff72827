// Deletes a sender domain and its key.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { domainNamed, domainParam } from './email-domain-shape.ts';

export const deleteEmailDomain = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/email-domains/:domain',
  summary: 'Delete a sender domain',
  description:
    'Also deletes its DKIM key: if you add the domain again, it needs a new DNS record. A domain whose address the app sends from cannot be deleted; change `email.fromAddress` first.',
  tag: 'Email domains',
  access: key('admin'),
  changes: ['email-domain'],
  lane: 'standard',
  edits: 'email_domain.delete',
  params: { domain: domainParam },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const domain = domainNamed(call.param('domain'));
    await call.to<AccountsProtocol>(app).ask('email_domain.delete', { domain });
    return { status: 204 };
  },
});
