// The send that a recipient's idempotency key made before. A merged person had keys under former
// ids, so this looks up those of everybody who is this person now. Source: contract, section 7.

import type { Context } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';
import { aliases, type SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { readableRow } from '../../readable-row.ts';
import type { SendsView } from '../outbox/reads.ts';
import { type IdempotencyClaim, recipientClaim, recipientKey } from './idempotency-claim.ts';
import type { BatchRecipient } from './protocol.ts';
import type { KeyedSendsMemory } from './reads.ts';

export interface KeyedRecipient extends Pick<BatchRecipient, 'to' | 'key'> {
  readonly fingerprint: Words2;
}

/** `conflict`: used with another request. `undefined`: free. `looked`: records read. */
export function earlierSend(
  { idempotency }: Pick<KeyedSendsMemory, 'idempotency'>,
  app: SendsView,
  person: Pick<SubscriberRow, 'id' | 'person'>,
  { to, key, fingerprint }: KeyedRecipient,
  claim: IdempotencyClaim,
  batchKey: string | null,
  { owner, nowMs, ages, documents }: Context,
): { readonly send: Words4 | 'conflict' | undefined; readonly looked: number } {
  const others = app.people.aliasesOf(person.person);
  if (others.length === 0 && (!('id' in to) || to.id === person.id))
    return { send: idempotency.find(claim, nowMs, ages), looked: 0 };
  const keyOf = (one: PersonOrdinal): string | undefined => {
    if (key !== undefined || batchKey === null) return key;
    const id = readableRow(documents, aliases, [one])?.id;
    return id === undefined ? undefined : recipientKey(batchKey, id);
  };
  const claimOf = (one: PersonOrdinal): IdempotencyClaim | undefined => {
    if (one === person.person) return claim;
    const used = keyOf(one);
    return used === undefined ? undefined : recipientClaim(owner, used, fingerprint, one);
  };
  const named = 'id' in to ? parseId('sub', to.id)?.low32 : undefined;
  const everybody = [person.person, ...others];
  if (named !== undefined && named !== person.person) everybody.unshift(named);
  let send: 'conflict' | undefined;
  for (const one of everybody) {
    const made = claimOf(one);
    if (made === undefined) continue;
    const found = idempotency.find(made, nowMs, ages);
    if (found === 'conflict') send = found;
    else if (found !== undefined) return { send: found, looked: others.length };
  }
  return { send, looked: others.length };
}
