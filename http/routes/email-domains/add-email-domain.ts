// Adds a sender domain with a DKIM key of its own. A repeated call changes nothing, so that a retry
// does not make another key.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { makeDkimKey } from '../../call/keys/dkim-keys.ts';
import { key, route } from '../../call/route.ts';
import {
  domainNamed,
  emailDomainBody,
  emailDomainSchema,
  emailDomainView,
} from './email-domain-shape.ts';

export const addEmailDomain = route({
  method: 'POST',
  path: '/v1/apps/:appId/email-domains',
  summary: 'Add a sender domain',
  description:
    "Engage creates a DKIM key for the domain and returns the DNS records to create. Then verify the domain. Once it is verified, `email.fromAddress` in the app's settings may be an address of it, and its emails are signed with its key. Adding a domain again returns it unchanged.",
  tag: 'Email domains',
  access: key('admin'),
  changes: ['email-domain'],
  lane: 'standard',
  body: emailDomainBody,
  responses: { 201: { description: 'The domain.', schema: emailDomainSchema } },
  refusals: [404, 409],
  async handle(call) {
    const accounts = call.to<AccountsProtocol>(call.app());
    const domain = domainNamed(call.body.domain);
    const view =
      (await accounts.ask('email_domain.ask', { domain })) ??
      (await accounts.ask('email_domain.add', { domain, key: await makeDkimKey(call.tenant) }));
    return { status: 201, body: emailDomainView(view, call.edge.config.bounceDomain) };
  },
});
