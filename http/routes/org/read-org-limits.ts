// Reads an org's limits and usage: the daily count from the org's actor, the lanes from the front.
// This call itself counts in the standard lane.

import { limits } from '../../../actors/limits.ts';
import type { GateProtocol } from '../../../actors/sending/gate/protocol.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import type { UsageProtocol } from '../../../actors/tenants/usage/protocol.ts';
import type { RateLane } from '../../call/admission/rate-lane.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { instant } from '../../call/schemas/schemas.ts';
import { orgUseSchema } from './org-view.ts';

export const readOrgLimits = route({
  method: 'GET',
  path: '/v1/org/limits',
  summary: 'Read limits',
  tag: 'Org',
  access: key('read'),
  reads: ['org-limits'],
  lane: 'standard',
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
