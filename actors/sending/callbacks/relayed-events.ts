// The events of one part of a mail service's call, for a relay of the app; those of another relay
// are not heard.

import type { Context, Entry } from '../../../engine/actor/message.ts';
import { isMachineReader } from '../../channels/email/machine-readers.ts';
import type { RelayEvent } from '../../channels/port/relay-events.ts';
import { relayOf } from '../../tenants/relays/reads.ts';
import type { CallbacksMemory, CallbacksView } from './memory.ts';
import { RelayedClicks } from './relayed-clicks.ts';
import type { ReportedSends, ReportResult } from './reported-sends.ts';

/** Returns the entries of clicks. */
export function applyRelayed(
  { state, app, sends }: { state: CallbacksMemory; app: CallbacksView; sends: ReportedSends },
  { relayId, events }: { readonly relayId: string; readonly events: readonly RelayEvent[] },
  count: (result: ReportResult) => void,
  context: Context,
): readonly Entry[] {
  const relay = relayOf(app, relayId);
  const clicks = new RelayedClicks(state, app, sends, relayId, context);
  for (const event of events) {
    if (relay === undefined) count('ignored');
    else if (event.kind === 'clicked' || isMachineOpen(event))
      count(clicks.apply(relay.channel, event));
    else count(sends.applyRelayed(relay.channel, event, relayId));
  }
  return clicks.entries;
}

/** Not what a person did. */
function isMachineOpen({ kind, byMachine, userAgent = '' }: RelayEvent): boolean {
  return kind === 'opened' && (byMachine === true || isMachineReader(userAgent));
}
