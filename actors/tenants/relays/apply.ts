// Folds relays.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { type RelaysMemory, sharedBy } from './memory.ts';
import type { RelaysEntry } from './protocol.ts';
import type { RelayRecord } from './records.ts';

export const relaysApplies: Applies<RelaysEntry, RelaysMemory> = {
  'relay.saved': (state, { owner, relay }) => {
    relaysOf(state, owner)?.set(relay.id, relay);
    share(state, owner);
  },
  'relay.deleted': (state, { owner, relayId }) => {
    relaysOf(state, owner)?.delete(relayId);
    share(state, owner);
  },
  'relay.reported': (state, { owner, relayId, atMs }) => {
    const relays = relaysOf(state, owner);
    const relay = relays?.get(relayId);
    if (relays === undefined || relay === undefined) return;
    const { reportsSinceMs = atMs } = relay;
    relays.set(relayId, { ...relay, reportsSinceMs, reportedMs: atMs });
    share(state, owner);
  },
  'relays.shared': (state, { owner, relays }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    org.agencyRelays = relays;
    share(state, owner);
  },
};

function relaysOf(state: RelaysMemory, owner: Ordinal): Map<string, RelayRecord> | undefined {
  return (state.apps.get(owner) ?? state.orgs.get(owner))?.relays;
}

/** Its apps see what the org has. */
function share(state: RelaysMemory, owner: Ordinal): void {
  const org = state.orgs.get(owner);
  if (org === undefined) return;
  const shared = sharedBy(org);
  for (const ordinal of org.apps) {
    const app = state.apps.get(ordinal);
    if (app !== undefined) app.sharedRelays = shared;
  }
}
