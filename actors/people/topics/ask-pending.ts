// A choice that waits for the person's confirmation asks for it by mail, in the turn that makes it
// wait (`sending/opt-in/`, which lies below).

import type { Context, Decision, Tell } from '../../../engine/actor/message.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { isChoiceTag } from './choice-tag.ts';

/** With the message that asks, if the decision makes a choice of this person wait. */
export function askingPending<Reply>(
  decision: Decision<Reply>,
  { person, tags: before }: SubscriberRow,
  { owner }: Pick<Context, 'owner'>,
): Decision<Reply> {
  if (decision.outcome === 'refused') return decision;
  const isTheirs = ({ table, key }: { table: { id: number }; key: readonly unknown[] }) =>
    table.id === subscribers.id && key[0] === person;
  const row = decision.documents?.find(isTheirs)?.value as SubscriberRow | undefined;
  const waits = Object.entries(row?.tags ?? {}).some(
    ([tag, value]) => value === 'pending' && isChoiceTag(tag) && before[tag] !== 'pending',
  );
  if (!waits) return decision;
  const message = { kind: 'opt_in.ask', by: -1, person } as Tell['message'];
  return { ...decision, tells: [...(decision.tells ?? []), { to: owner, message }] };
}
