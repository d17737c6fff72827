// Folds what happened to people into memory.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { minuteMs } from '../../../engine/base/brand.ts';
import type { PartitionState } from '../../state.ts';
import type { AudienceEntry } from './protocol.ts';

export const audienceApplies: Applies<AudienceEntry, PartitionState> = {
  'subscriber.created': (state, { owner, person, externalUserId, atMs, keyless }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.people.add(person, externalUserId);
    app.traits.addPerson(person, atMs);
    if (keyless) countKeyless(app, atMs, 1);
  },
  'subscriber.changed': () => {},
  'subscriber.identified': (state, { owner, person, externalUserId }) => {
    state.apps.get(owner)?.people.add(person, externalUserId);
  },
  'subscriber.merged': (state, { owner, person, into }) => {
    state.apps.get(owner)?.people.merge(person, into);
  },
  'suppression.added': (state, { owner, identityKey }) => {
    state.apps.get(owner)?.suppressions.add(identityKey);
  },
  'suppression.removed': (state, { owner, identityKey }) => {
    state.apps.get(owner)?.suppressions.delete(identityKey);
  },
};

/** Counts people made without a key in the current minute, against the app's bound. */
export function countKeyless(
  app: { keylessMinute: number; keylessCreated: number },
  atMs: number,
  count: number,
): void {
  const minute = Math.floor(atMs / minuteMs);
  if (app.keylessMinute !== minute) {
    app.keylessMinute = minute;
    app.keylessCreated = 0;
  }
  app.keylessCreated += count;
}
