// Looks up a sender domain's DNS records and records what was found. Always answers with the
// domain: its state says how the check ended.

import { dkimRecordName } from '../../../actors/tenants/accounts/dkim-record.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import {
  domainNamed,
  domainParam,
  emailDomainSchema,
  emailDomainView,
} from './email-domain-shape.ts';

export const verifyEmailDomain = route({
  method: 'POST',
  path: '/v1/apps/:appId/email-domains/:domain/verify',
  summary: 'Verify a sender domain',
  description:
    'Looks up the DNS records now, which takes up to ten seconds. `state` is the result, and each record shows what was found. It can take minutes until every resolver has a new record; then call again. The request has no body.',
  tag: 'Email domains',
  access: key('admin'),
  changes: ['email-domain'],
  lane: 'standard',
  params: { domain: domainParam },
  responses: { 200: { description: 'The checked domain.', schema: emailDomainSchema } },
  refusals: [404, 409],
  async handle(call) {
    const accounts = call.to<AccountsProtocol>(call.app());
    const domain = domainNamed(call.param('domain'));
    const { selector } = await accounts.ask('email_domain.read', { domain });
    const { edge, tenant } = call;
    const [dkim, dmarc] = await Promise.all([
      edge.lookUpTxt(tenant, dkimRecordName(selector, domain)),
      edge.lookUpTxt(tenant, `_dmarc.${domain}`),
    ]);
    const view = await accounts.ask('email_domain.check', {
      domain,
      selector,
      dkim,
      dmarc,
    });
    return { status: 200, body: emailDomainView(view, edge.config.bounceDomain) };
  },
});
