// The first key of an org. With an idempotency key its bytes follow from that key and a secret of
// this server, so a retry shows the same key, though only its hash is stored.

import { fault } from '../../../actors/faults.ts';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { makeKey } from '../admission/authenticate.ts';
import type { CallEdge } from '../call-edge.ts';

type Made = ReturnType<typeof makeKey>;

export function firstKeyFor(
  edge: Pick<CallEdge, 'clientKeyBytes'>,
  orgId: string,
  idempotencyKey: string | undefined,
): Made {
  return keysFor(edge, orgId, idempotencyKey)[0] as Made;
}

/** What is stored of a key. */
interface Stored {
  readonly id: string;
  readonly secretHash: Uint8Array;
}

/** The one of the stored keys that came first, with its text. Throws a fault if it is gone. */
export function sameFirstKey(
  edge: Pick<CallEdge, 'clientKeyBytes'>,
  orgId: string,
  idempotencyKey: string | undefined,
  stored: readonly Stored[],
  what: string,
): Made & { readonly id: string } {
  for (const made of keysFor(edge, orgId, idempotencyKey)) {
    const same = stored.find((one) => Buffer.compare(one.secretHash, made.secretHash) === 0);
    if (same !== undefined) return { ...made, id: same.id };
  }
  throw new FaultError(
    fault(
      'wrong_state',
      `${what} was created, but its first key was deleted, or the master key that it came from is no longer configured`,
    ),
  );
}

/** By each master key, the newest first. */
function keysFor(
  edge: Pick<CallEdge, 'clientKeyBytes'>,
  orgId: string,
  idempotencyKey: string | undefined,
): readonly Made[] {
  const slot = slotOfOrg(orgId);
  if (idempotencyKey === undefined) return [makeKey(slot)];
  return edge.clientKeyBytes(`${orgId} ${idempotencyKey}`).map((bytes) => makeKey(slot, bytes));
}
