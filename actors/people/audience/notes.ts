// What the audit log notes of opt-outs. People are noted by id, since an address in a note would
// survive their erasure.

import type { Context, Message } from '../../../engine/actor/message.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { Notes } from '../../audit-note.ts';
import { readableRow } from '../../readable-row.ts';
import { peopleAt } from './endpoint-owner.ts';
import type { AudienceMemory } from './memory.ts';
import type { AudienceEntry, AudienceProtocol } from './protocol.ts';

type DoubtDecided = Message & AudienceProtocol['doubtful_opt_out.decide']['body'];

export const audienceNotes: Notes<AudienceEntry, AudienceMemory> = {
  'suppression.removed': (_state, { identityKey }, context, message) => {
    if (message.kind !== 'suppression.remove') return undefined; // their own START
    const row = context.documents.get(suppressions, [identityKey]);
    if (row === undefined) return undefined;
    const { identity, source, reason, scope = 'all', createdMs } = row;
    const before = {
      source,
      reason,
      scope,
      since: new Date(createdMs).toISOString(),
      subscriberIds: subscriberIdsAt(identityKey, context),
    };
    return { action: 'suppression.removed', target: identity, before };
  },
  'opt_out.settled': (state, { owner, ids: [id = ''] }, context, message) => {
    const doubt = state.apps.get(owner)?.doubts.withId(id);
    if (doubt === undefined || message.kind !== 'doubtful_opt_out.decide') return undefined;
    const { decision, scope = 'all' } = message as DoubtDecided;
    // Not the words, which would survive the person's erasure.
    const after = {
      decision,
      ...(decision === 'opt_out' ? { scope } : {}),
      subscriberIds: subscriberIdsAt(doubt.identityKey, context),
    };
    return { action: 'doubtful_opt_out.decided', target: doubt.channel, after };
  },
};

/** By id, since an address in a note would survive the person's erasure. */
function subscriberIdsAt(identityKey: string, context: Context): readonly string[] {
  return peopleAt(identityKey, context).flatMap(
    (person) => readableRow(context.documents, subscribers, [person])?.id ?? [],
  );
}
