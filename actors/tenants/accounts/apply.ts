// Folds the entries of orgs, keys and apps into memory.

import { slotOf } from '../../../engine/actor/placement.ts';
import type { Applies } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { newAppState, newOrgState, type PartitionState } from '../../state.ts';
import type { AccountsEntry } from './protocol.ts';
import { defaultSettings } from './records.ts';

export const accountsApplies: Applies<AccountsEntry, PartitionState> = {
  'org.created': (state, { owner, org }) => {
    state.orgs.set(owner, newOrgState(org));
    state.orgById.set(org.id, owner);
    countOrdinal(state, owner);
  },
  'org.changed': (state, { owner, org }) => {
    const kept = state.orgs.get(owner);
    if (kept !== undefined) kept.record = org;
  },
  'key.created': (state, { owner, key }) => {
    state.keys.set(key.keyId, { ...key, org: owner });
    state.orgs.get(owner)?.keyIds.add(key.keyId);
  },
  'key.deleted': (state, { owner, keyId }) => {
    state.keys.delete(keyId);
    state.orgs.get(owner)?.keyIds.delete(keyId);
  },
  'app.created': (state, { owner, app, vapidPublicKey }) => {
    const made = newAppState(app, defaultSettings, state.tableKey);
    made.vapidPublicKey = vapidPublicKey;
    state.apps.set(owner, made);
    state.orgs.get(app.org)?.apps.add(owner);
    countOrdinal(state, owner);
  },
  'app.changed': (state, { owner, app }) => {
    const kept = state.apps.get(owner);
    if (kept !== undefined) kept.record = app;
  },
  'app.deleted': (state, { owner, atMs }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const org = state.orgs.get(app.record.org);
    org?.apps.delete(owner);
    org?.meter.keepDeleted(app.record, app.monthlyActive, atMs);
    for (const keyId of [...(org?.keyIds ?? [])]) {
      if (state.keys.get(keyId)?.appId !== app.record.id) continue;
      state.keys.delete(keyId);
      org?.keyIds.delete(keyId);
    }
    state.apps.delete(owner);
    state.tombstones.add(owner);
  },
  'app.swept': (state, { owner, done }) => {
    if (done) state.tombstones.delete(owner);
  },
  'settings.changed': (state, { owner, settings }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.settings = settings;
    app.caps.keepFor(settings.caps, app.traits.next);
  },
  'credential.stored': (state, { owner, credential, publicKey }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.credentials.set(credential.channel, credential);
    if (publicKey !== null) app.vapidPublicKey = publicKey;
  },
  'credential.rotated': (state, { owner, channel, sealed }) => {
    const credentials = state.apps.get(owner)?.credentials;
    const kept = credentials?.get(channel);
    if (kept === undefined) return;
    credentials?.set(channel, { ...kept, sealed, rotations: (kept.rotations ?? 0) + 1 });
  },
  'credential.deleted': (state, { owner, channel }) => {
    state.apps.get(owner)?.credentials.delete(channel);
  },
};

function countOrdinal(state: PartitionState, ordinal: Ordinal): void {
  const slot = slotOf(ordinal);
  const n = ordinal >>> 12;
  state.ordinalsUsed.set(slot, Math.max(n, state.ordinalsUsed.get(slot) ?? 0));
}
