// Folds warm-ups.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { WarmUpMemory } from './memory.ts';
import type { WarmUpEntry } from './protocol.ts';

export const warmUpApplies: Applies<WarmUpEntry, WarmUpMemory> = {
  'warm_up.saved': (state, { owner, warmUp }) => {
    const app = state.apps.get(owner);
    app?.warmUps.save(warmUp, (domain) => app.emailDomains.has(domain));
  },
  'warm_up.deleted': (state, { owner, domain }) => {
    state.apps.get(owner)?.warmUps.delete(domain);
  },
};
