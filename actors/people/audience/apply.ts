// Folds people and opt-outs.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { countKeyless } from './folds.ts';
import type { AudienceEntry } from './protocol.ts';
import type { AudienceMemory } from './view.ts';

export const audienceApplies: Applies<AudienceEntry, AudienceMemory> = {
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
  'suppression.added': (state, { owner, identityKey, scope }) => {
    const app = state.apps.get(owner);
    if (scope === 'marketing') app?.marketingOptOuts.add(identityKey);
    else {
      app?.marketingOptOuts.delete(identityKey);
      app?.suppressions.add(identityKey);
    }
  },
  'suppression.removed': (state, { owner, identityKey }) => {
    const app = state.apps.get(owner);
    app?.suppressions.delete(identityKey);
    app?.marketingOptOuts.delete(identityKey);
  },
};
