// Links of emails may have the name of their app's own domain, and such a name serves the links of
// its app alone: another app's link there would speak in the domain owner's name. Any other name
// that leads to this server serves all links, as before.

import { z } from 'zod';
import { emailDomain } from '../../actors/channels/email/address.ts';
import { notFound } from '../../actors/faults.ts';
import {
  linkHostHash,
  linkHostMarkName,
  linkHostName,
} from '../../actors/tenants/accounts/link-host.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call/call.ts';
import { anybody, route } from '../call/route.ts';

type AnyCall = Call<unknown, unknown>;

/** Throws `not_found` if the call came by the name of another app's domain. */
export async function checkLinkHost(call: AnyCall, app: Ordinal): Promise<void> {
  if (!(await servesLinks(call, app))) throw new FaultError(notFound('link'));
}

export async function servesLinks(call: AnyCall, app: Ordinal): Promise<boolean> {
  const host = hostOf(call);
  if (host === undefined || !isLinkHost(call, host)) return true;
  const domains = await call.to<AccountsProtocol>(app).ask('email_domain.list', {});
  // Mails that were sent before a proof was lost still lead here.
  return domains.some(({ domain, verifiedMs }) => {
    return verifiedMs !== undefined && linkHostName(domain) === host;
  });
}

function hostOf(call: AnyCall): string | undefined {
  const host = call.header('host')?.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
  const own = new URL(call.edge.config.publicUrl).hostname;
  return host === own ? undefined : host;
}

function isLinkHost({ edge }: AnyCall, host: string): boolean {
  return edge.credentials.has(linkHostMarkName, linkHostHash(host));
}

/** For a proxy that gets certificates for names as they are asked for (Caddy's `ask`). */
export const askTls = route({
  method: 'GET',
  path: '/tls/ask',
  summary: 'Ask for a certificate',
  description:
    'For the proxy in front of this server, which gets a certificate for a name at its first connection (`on_demand_tls` of Caddy): 204 if the name is the verified link name of an app, otherwise 404. A name whose record is gone stays until the next start.',
  tag: 'Tracking',
  access: anybody,
  reads: [],
  lane: 'none',
  query: z.object({
    domain: z
      .string()
      .max(255)
      .meta({ description: 'The name.', examples: ['links.acme.example'] }),
  }),
  responses: { 204: { description: 'The name may have a certificate.' } },
  refusals: [400, 404],
  async handle(call) {
    const checked = emailDomain(call.query.domain);
    if ('problem' in checked || !isLinkHost(call, checked.value))
      throw new FaultError(notFound('name'));
    return { status: 204 };
  },
});
