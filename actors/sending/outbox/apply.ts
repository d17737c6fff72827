// Folds attempts and their outcomes. Receipts are events, which are folded elsewhere
// (`runtime/subscribers.ts`).

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import type { OutboxEntry } from './protocol.ts';
import type { SendsMemory, SendsReads } from './reads.ts';
import { countRelayCall } from './relay-days.ts';
import { relayNamed } from './relay-rules.ts';

export const outboxApplies: Applies<OutboxEntry, SendsMemory> = {
  'attempts.started': (
    state,
    { owner, channel, atMs, items, relays, copies, probed = [], warmed },
  ) => {
    const app = state.apps.get(owner);
    const outbox = app?.outbox;
    const copiesOf = new Map(copies);
    for (const [place, [sendId, target, relay = -1]] of items.entries())
      outbox?.start(sendId, target, {
        relay: relays?.[relay],
        warmed: warmed !== undefined,
        copies: copiesOf.get(place),
      });
    if (warmed !== undefined) app?.warmUps.count(warmed, atMs);
    for (const account of probed) outbox?.probe(channel, account, atMs);
  },

  'attempts.settled': (state, { owner, channel, atMs, standing, items }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const { outbox } = app;
    if (standing !== null) outbox.stand(channel, standing);
    for (const { sendId, target, settlement, isLate } of items) {
      switch (settlement.next) {
        case 'due':
          outbox.giveBack(sendId, target);
          break;
        case 'waiting':
          outbox.wait(sendId, target, settlement, atMs, relayNameIn(app, sendId, target));
          break;
        case 'done':
          // A late receipt names who tells it, which is no other call.
          if (isLate === true) break;
          outbox.finish(sendId, target);
          countRelayCall(app, settlement.receipt, atMs);
          break;
      }
    }
    state.ready.add(owner);
  },

  'send.woken': (state, { owner, sendId, atMs }) => {
    state.apps.get(owner)?.outbox.wake(sendId, atMs);
    state.ready.add(owner);
  },

  'channel.resumed': (state, { owner, channel, now, wakes }) => {
    const outbox = state.apps.get(owner)?.outbox;
    if (now === true) outbox?.probeNow(channel);
    if (wakes === true) outbox?.wakeOn(channel);
    state.ready.add(owner);
  },

  'sends.swept': () => {},
};

/** What the relay of the newest attempt is called. */
function relayNameIn(app: RelaysReads & SendsReads, sendId: string, target: number) {
  return relayNamed(app, app.outbox.jobs.get(sendId)?.targets[target]?.relay).relayName;
}
