// Sets the operator's limits of one org, which tenants cannot change.

import { notFound } from '../../../actors/faults.ts';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { present } from '../../call/answer/present.ts';
import { bootstrap, route } from '../../call/route.ts';
import { domainsOf, orgLimitsBody, orgSchema, orgView } from './org-view.ts';

export const setOrgLimits = route({
  method: 'PATCH',
  path: '/v1/orgs/:id',
  summary: "Set an org's limits",
  description:
    'For the operator. Fields you omit keep their value; `null` removes a limit. `emailDomains` vouches for sender domains.',
  tag: 'Org',
  access: bootstrap,
  changes: ['org-limits'],
  lane: 'none',
  params: { id: 'Org id.' },
  body: orgLimitsBody,
  responses: { 200: { description: 'The org.', schema: orgSchema } },
  refusals: [404],
  edits: 'org.set_limits',
  async handle(call) {
    const orgId = call.param('id');
    if (parseId('org', orgId) === undefined) throw new FaultError(notFound('org'));
    const { dailySendCap, rateLimits, emailAllowance, emailDomains, storageQuotaBytes } = call.body;
    const ordinal = await call.to<AccountsProtocol>(slotOfOrg(orgId)).ask('org.locate', { orgId });
    const org = await call.to<AccountsProtocol>(ordinal).ask(
      'org.set_limits',
      present({
        dailySendCap,
        emailAllowance,
        emailDomains: emailDomains && domainsOf(emailDomains),
        storageQuotaBytes,
        rateLimits: rateLimits && present(rateLimits),
      }),
    );
    return { status: 200, body: orgView(org) };
  },
});
