// Creations with an idempotency key: the object that the key created stands for the call, and a key
// is claimed in the block that stores its object. Sends and logins have rules of their own.

import {
  type Context,
  type Decision,
  type Entry,
  type Message,
  refused,
} from '../../engine/actor/message.ts';
import type { IdPrefix } from '../../engine/base/id.ts';
import type { Accepted } from '../area.ts';
import { fault, keyUsedFault } from '../faults.ts';
import { idOfRef, idRef } from '../sending/outbox/send-key.ts';
import type { Creation, TransactionalEntry } from '../sending/transactional/protocol.ts';
import type { PartitionState } from './state.ts';

/** What answers instead of the object: the caller reads it. */
interface ReplayedCreation {
  readonly replayOf: string;
}

interface Claimed extends Message {
  readonly creation?: Creation;
}

/** The answer to a key that was used before, or for which there is no room. */
export function earlierCreation(
  { idempotency }: Pick<PartitionState, 'idempotency'>,
  { kind, creation }: Claimed,
  { owner, nowMs, ages }: Context,
): Decision | undefined {
  if (creation?.kind !== kind) return undefined;
  const earlier = idempotency.find(creation.claim, nowMs, ages);
  if (earlier === 'conflict') return refused(keyUsedFault);
  if (earlier !== undefined) {
    const reply: ReplayedCreation = {
      replayOf: idOfRef(creation.prefix as IdPrefix, earlier),
    };
    return { outcome: 'accepted', reply };
  }
  if (!idempotency.isFull(owner, nowMs, ages)) return undefined;
  return refused(
    fault('idempotency_full', 'there is no room for more idempotency keys', {
      retryAfterSeconds: 60,
    }),
  );
}

/** Claims the key, if the decision created an object. */
export function withCreation(
  decision: Accepted,
  { kind, creation }: Claimed,
  { owner, nowMs }: Context,
): Accepted {
  if (creation?.kind !== kind) return decision;
  const id = createdId(decision.reply);
  if (id === undefined) return decision;
  const entry: TransactionalEntry = {
    kind: 'creation.claimed',
    owner,
    claim: creation.claim,
    object: idRef(creation.prefix as IdPrefix, id),
    atMs: nowMs,
  };
  const entries: readonly Entry[] = [...(decision.entries ?? []), entry];
  return { ...decision, entries };
}

/** Of a record, of the subscriber in the reply to an upsert, or of an org that came with a key. */
function createdId(reply: unknown): string | undefined {
  const { id, subscriber, org } = reply as {
    readonly id?: unknown;
    readonly subscriber?: { readonly id?: unknown };
    readonly org?: { readonly id?: unknown };
  };
  const found = id ?? subscriber?.id ?? org?.id;
  return typeof found === 'string' ? found : undefined;
}
