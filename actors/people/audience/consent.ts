// Whether people have agreed to messages where the tenant has their addresses from: an import, or
// the traits of a platform. Those who have not are asked by mail (`sending/opt-in/`, which lies
// below). Only email addresses can be asked; other channels are registered as confirmed.

import type { Context, Decision, Tell } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { isChoiceTag } from '../topics/choice-tag.ts';
import { isUnconfirmed } from './unconfirmed.ts';

/** Whether the person has something that a mail would have to ask for. */
export function isWaiting(row: Asked): boolean {
  return waitingOf(row).length > 0;
}

/** Sends a confirmation request to each person for whom the decision adds a pending address. */
export function owingNew<Reply>(decision: Decision<Reply>, context: Context): Decision<Reply> {
  if (decision.outcome === 'refused') return decision;
  const waiting: PersonOrdinal[] = [];
  for (const { table, key, value } of decision.documents ?? []) {
    if (table.id !== subscribers.id || value === undefined) continue;
    const before = context.documents.get(subscribers, key) ?? nobody;
    if (waitsForMore(before, value as SubscriberRow)) waiting.push(key[0] as PersonOrdinal);
  }
  return owingMails(decision, waiting, context);
}

const nobody: Asked = { devices: [], tags: {} };

function waitsForMore(before: Asked, after: Asked): boolean {
  const known = new Set(waitingOf(before));
  return waitingOf(after).some((one) => !known.has(one));
}

type Asked = Pick<SubscriberRow, 'devices' | 'tags'>;

/** Ids of devices, and tags of choices. */
function waitingOf({ devices, tags }: Asked): readonly string[] {
  const waiting: string[] = [];
  for (const one of devices)
    if (one.channel === 'email' && isUnconfirmed(one)) waiting.push(one.id);
  for (const tag in tags) if (tags[tag] === 'pending' && isChoiceTag(tag)) waiting.push(tag);
  return waiting;
}

/** With the message that has these people asked, in time: each gets the mail at most once. */
export function owingMails<Reply>(
  decision: Decision<Reply>,
  people: Iterable<PersonOrdinal>,
  { owner }: Pick<Context, 'owner'>,
): Decision<Reply> {
  const waiting = [...new Set(people)];
  if (decision.outcome === 'refused' || waiting.length === 0) return decision;
  const message = { kind: 'opt_in.owe', by: -1, people: waiting } as Tell['message'];
  return { ...decision, tells: [...(decision.tells ?? []), { to: owner, message }] };
}
