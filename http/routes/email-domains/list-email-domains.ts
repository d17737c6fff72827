// Lists an app's sender domains.

import { z } from 'zod';
import { emailDomain } from '../../../actors/channels/email/address.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, pageQuery } from '../../call/schemas/schemas.ts';
import { emailDomainSchema, emailDomainView } from './email-domain-shape.ts';

export const listEmailDomains = route({
  method: 'GET',
  path: '/v1/apps/:appId/email-domains',
  summary: 'List sender domains',
  tag: 'Email domains',
  access: key('read'),
  reads: ['email-domain'],
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Domains by name.', schema: countedPage(emailDomainSchema) },
  },
  refusals: [404],
  async handle(call) {
    const views = await call.to<AccountsProtocol>(call.app()).ask('email_domain.list', {});
    const items = views.map((view) => emailDomainView(view, call.edge.config.bounceDomain));
    const isName = (cursor: string) => 'value' in emailDomain(cursor);
    return { status: 200, body: pageOf(items, call.query, ({ domain }) => domain, isName) };
  },
});
