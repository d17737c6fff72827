// The caller's org.

import { notFound } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type { GateProtocol } from '../../../actors/sending/gate/protocol.ts';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import type { UsageProtocol } from '../../../actors/tenants/usage/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { RateLane } from '../../call/admission/rate-lane.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { bootstrap, key, route } from '../../call/route.ts';
import { instant } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import {
  domainsOf,
  orgLimitsBody,
  orgNameBody,
  orgSchema,
  orgUseSchema,
  orgView,
} from './org-view.ts';

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

/**
 * Reads an org's limits and usage: the daily count from the org's actor, the lanes from the front.
 * This call itself counts in the standard lane.
 */
export const readOrgLimits = route({
  method: 'GET',
  path: '/v1/org/limits',
  summary: 'Read limits',
  tag: 'Org',
  access: key('read'),
  reads: ['org-limits'],
  responses: { 200: { description: 'Limits and current usage.', schema: orgUseSchema } },
  async handle(call) {
    const { org, daily, eventsRetentionDays } = await call
      .to<AccountsProtocol>(call.org)
      .ask('org.tally', {});
    const { delivered, reserved } = await call.to<GateProtocol>(call.org).ask('org.emails', {});
    const { storedBytes, byKind } = await call.to<UsageProtocol>(call.org).ask('org.stored', {});
    const shared = await call.to<ClientsProtocol>(call.org).ask('client.stored', {});
    const isClient = org.parentOrgId !== null;
    const { perIpPerMinute } = call.edge.admission;
    const body = {
      dailySends: {
        cap: org.dailySendCap,
        used: daily.used,
        resetsAt: instant(daily.resetsMs),
      },
      lanes: {
        transactional: laneNow(call, 'transactional'),
        standard: laneNow(call, 'standard'),
      },
      perIpPerMinute: perIpPerMinute === 0 ? null : perIpPerMinute,
      batchSize: limits.batchRecipientsMax,
      emailAllowance: { included: org.emailAllowance, used: delivered, reserved },
      storage: {
        quotaBytes: org.storageQuotaBytes ?? null,
        usedBytes: storedBytes,
        usedByKind: byKind,
        clients: isClient ? null : { usedBytes: shared.usedBytes, quotaBytes: shared.quotaBytes },
        agencyFull: shared.isFull,
      },
      eventsRetentionDays,
    };
    return { status: 200, body };
  },
});

function laneNow(call: Call<unknown, unknown>, lane: RateLane) {
  if (call.grant === undefined) return { limit: null, remaining: null, reset: 0 };
  const { limit, remaining, reset } = call.edge.admission.peek(call.grant, lane);
  return { limit, remaining: limit === null ? null : remaining, reset };
}

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
