// What campaigns fold of other areas' entries, after those have: answers of devices and people to
// what campaigns sent. The other areas need not know that campaigns are there.

import type { Entry } from '../../../engine/actor/message.ts';
import { decodeBatch } from '../../events/event-batch.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import type { TransactionalEntry } from '../../sending/transactional/protocol.ts';
import type { PartitionState } from '../../state.ts';
import { foldAnswer, foldEngagement, foldLateBounce } from './answers.ts';

type EntryOf<Kind extends TransactionalEntry['kind']> = Extract<TransactionalEntry, { kind: Kind }>;
type Listen = (state: PartitionState, entry: Entry) => void;

export const campaignsListen: ReadonlyMap<string, Listen> = new Map<string, Listen>([
  [
    'events.tracked',
    (state, entry) => {
      const app = state.apps.get(entry.owner);
      if (app !== undefined) foldEngagement(app, decodeBatch((entry as EventsEntry).batch));
    },
  ],
  ['attempts.settled', (state, entry) => foldSettled(state, entry as EntryOf<'attempts.settled'>)],
  [
    'send.redriven',
    (state, entry) => {
      const { owner, origin } = entry as EntryOf<'send.redriven'>;
      if (origin !== undefined) state.apps.get(owner)?.sending.reopen(origin);
    },
  ],
]);

function foldSettled(
  state: PartitionState,
  { owner, channel, items }: EntryOf<'attempts.settled'>,
): void {
  const app = state.apps.get(owner);
  if (app === undefined || app.sending.isEmpty) return;
  const over = new Set<string>();
  for (const { sendId, settlement, origin, isRedriven = false, isLate } of items) {
    if (settlement.next !== 'done' || origin?.campaignId === undefined) continue;
    const { person, status, reason } = settlement.receipt;
    if (isLate === true) {
      if (isRedriven)
        foldAnswer(app, origin, channel, { person, status, isRedriven, isLast: false });
      else foldLateBounce(app, origin, channel, person);
      continue;
    }
    // A send is over once, with the last of its devices.
    const isLast = !over.has(sendId) && !app.outbox.jobs.has(sendId);
    if (isLast) over.add(sendId);
    const why = reason === undefined ? {} : { reason };
    foldAnswer(app, origin, channel, { person, status, isRedriven, isLast, ...why });
  }
}
