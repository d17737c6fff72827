// In which orgs an address is a member, and whether there is an org at all.

import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { Membership, SessionsProtocol } from '../../actors/tenants/sessions/protocol.ts';
import type { CallEdge } from '../call-edge.ts';
import { askEveryPartition } from './every-partition.ts';

type Edge = Pick<CallEdge, 'config' | 'router'>;

/** The one that was used last first, then the oldest. */
export async function membershipsOf(edge: Edge, email: string): Promise<readonly Membership[]> {
  const found = await askEveryPartition<SessionsProtocol, 'session.memberships'>(
    edge,
    'session.memberships',
    { email },
  );
  return found
    .flat()
    .sort(
      (one, other) =>
        (other.seenMs ?? 0) - (one.seenMs ?? 0) || one.member.createdMs - other.member.createdMs,
    );
}

/** Fronts with an org: it stays one, so none of them is asked twice. */
const founded = new WeakSet<CallEdge['router']>();

export async function hasOrg(edge: Edge): Promise<boolean> {
  if (founded.has(edge.router)) return true;
  const found = await askEveryPartition<AccountsProtocol, 'org.exists'>(edge, 'org.exists', {});
  if (!found.includes(true)) return false;
  founded.add(edge.router);
  return true;
}
