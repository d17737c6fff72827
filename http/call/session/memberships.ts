// In which orgs an address is a member, and whether there is an org at all.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type {
  LinkView,
  Membership,
  SessionsProtocol,
} from '../../../actors/tenants/sessions/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import type { ProtocolShape, ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Asked } from '../call.ts';
import type { CallEdge } from '../call-edge.ts';

type Edge = Pick<CallEdge, 'config' | 'router'>;

/** Accepted ones first, of them the one that was used last, then the oldest. */
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
        Number(one.member.isOpen ?? false) - Number(other.member.isOpen ?? false) ||
        (other.seenMs ?? 0) - (one.seenMs ?? 0) ||
        one.member.createdMs - other.member.createdMs,
    );
}

/** Orgs to choose from at most: anybody can add an address to orgs of theirs. */
export const choicesMax = 50;

/**
 * Where a link may sign in, if its person has to say which: they never signed in to its org, and
 * are a member of others. Empty otherwise.
 */
export async function choicesOf(
  edge: Edge,
  { email, isOpen }: Pick<LinkView, 'email' | 'isOpen'>,
): Promise<readonly Membership[]> {
  if (!isOpen) return [];
  const found = await membershipsOf(edge, email);
  return found.length < 2 ? [] : found;
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

/**
 * Asks every partition the same, for what no id leads to, such as an address. Partitions are few,
 * and each is asked through one of its slots. Throws if one of them refuses.
 */
async function askEveryPartition<
  P extends ProtocolShape<P>,
  K extends keyof P & string = keyof P & string,
>(
  { config, router }: Pick<CallEdge, 'config' | 'router'>,
  kind: K,
  body: Asked<P, K>,
): Promise<ReplyOf<P, K>[]> {
  const message = { ...body, kind, by: -1 } as unknown as Message;
  const slots = Array.from({ length: config.partitions }, (_, partition) => partition);
  const answers = await Promise.all(slots.map((slot) => router.ask(slot, message)));
  return answers.map((answer) => {
    if (!answer.ok) throw new FaultError(answer.fault);
    return answer.value as ReplyOf<P, K>;
  });
}
