// Reads a sender domain, as of its last check.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import {
  domainNamed,
  domainParam,
  emailDomainSchema,
  emailDomainView,
} from './email-domain-shape.ts';

export const readEmailDomain = route({
  method: 'GET',
  path: '/v1/apps/:appId/email-domains/:domain',
  summary: 'Read a sender domain',
  tag: 'Email domains',
  access: key('read'),
  reads: ['email-domain'],
  lane: 'standard',
  params: { domain: domainParam },
  responses: { 200: { description: 'The domain.', schema: emailDomainSchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const domain = domainNamed(call.param('domain'));
    const view = await call.to<AccountsProtocol>(app).ask('email_domain.read', { domain });
    return { status: 200, body: emailDomainView(view, call.edge.config.bounceDomain) };
  },
});
