// The sender domains of an app, each with a DKIM key of its own.

import { z } from 'zod';
import { emailDomain } from '../../../actors/channels/email/address.ts';
import { dkimRecordName } from '../../../actors/tenants/accounts/dkim-record.ts';
import { linkHostName } from '../../../actors/tenants/accounts/link-host.ts';
import type {
  AccountsProtocol,
  EmailDomainView,
} from '../../../actors/tenants/accounts/protocol.ts';
import { pageOf } from '../../call/answer/page.ts';
import { makeDkimKey } from '../../call/keys/dkim-keys.ts';
import { pageQuery } from '../../call/schemas/schemas.ts';
import { Resource } from '../resource.ts';
import {
  domainNamed,
  domainParam,
  emailDomainBody,
  emailDomainSchema,
  emailDomainView,
} from './email-domain-shape.ts';

const domains = new Resource({
  path: '/v1/apps/:appId/email-domains',
  params: { domain: domainParam },
  tag: 'Email domains',
  noun: 'email-domain',
  a: 'a sender domain',
  the: 'domain',
  scopes: ['read', 'admin'],
  schema: emailDomainSchema,
  view: (view: EmailDomainView, call) => emailDomainView(view, call),
  actor: (call) => call.to<AccountsProtocol>(call.app()),
  named: (call) => ({ domain: domainNamed(call.param('domain')) }),
});

/**
 * Adds a sender domain with a DKIM key of its own. A repeated call changes nothing, so that a retry
 * does not make another key.
 */
export const addEmailDomain = domains.create({
  summary: 'Add a sender domain',
  description:
    "Engage creates a DKIM key for the domain and returns the DNS records to create. Then verify the domain. Once it is verified, `email.fromAddress` in the app's settings may be an address of it, and its emails are signed with its key. Adding a domain again returns it unchanged.",
  body: emailDomainBody,
  async handle(call) {
    const accounts = call.to<AccountsProtocol>(call.app());
    const domain = domainNamed(call.body.domain);
    const view =
      (await accounts.ask('email_domain.ask', { domain })) ??
      (await accounts.ask('email_domain.add', { domain, key: await makeDkimKey(call.tenant) }));
    return { status: 201, body: emailDomainView(view, call) };
  },
});

export const listEmailDomains = domains.list({
  query: z.object(pageQuery),
  answer: 'Domains by name.',
  async handle(call) {
    const views = await call.to<AccountsProtocol>(call.app()).ask('email_domain.list', {});
    const items = views.map((view) => emailDomainView(view, call));
    const isName = (cursor: string) => 'value' in emailDomain(cursor);
    return { status: 200, body: pageOf(items, call.query, ({ domain }) => domain, isName) };
  },
});

export const readEmailDomain = domains.read({ asks: 'email_domain.read' });

/**
 * Looks up a sender domain's DNS records and records what was found. Always answers with the
 * domain: its state says how the check ended.
 */
export const verifyEmailDomain = domains.action('verify', {
  description:
    'Looks up the DNS records now, which takes up to ten seconds. `state` is the result, and each record shows what was found. It can take minutes until every resolver has a new record; then call again. The request has no body.',
  answer: 'The checked domain.',
  async handle(call) {
    const accounts = call.to<AccountsProtocol>(call.app());
    const domain = domainNamed(call.param('domain'));
    const { selector } = await accounts.ask('email_domain.read', { domain });
    const { edge, tenant } = call;
    const { linkHost: host } = edge.config;
    const [dkim, dmarc, links] = await Promise.all([
      edge.lookUpTxt(tenant, dkimRecordName(selector, domain)),
      edge.lookUpTxt(tenant, `_dmarc.${domain}`),
      host === undefined ? undefined : edge.lookUpCname(tenant, linkHostName(domain)),
    ]);
    const view = await accounts.ask('email_domain.check', {
      domain,
      selector,
      dkim,
      dmarc,
      ...(links === undefined || host === undefined ? {} : { links: { answer: links, host } }),
    });
    return { status: 200, body: emailDomainView(view, call) };
  },
});

export const deleteEmailDomain = domains.remove({
  description:
    'Also deletes its DKIM key: if you add the domain again, it needs a new DNS record. A domain whose address the app sends from cannot be deleted; change `email.fromAddress` first.',
  refusals: [409],
  asks: 'email_domain.delete',
});
