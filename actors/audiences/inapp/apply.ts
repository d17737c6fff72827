// Folds in-app messages. `actors/events/apply.ts` folds their beacons with other events.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { InAppMessagesMemory } from './memory.ts';
import type { InAppEntry } from './protocol.ts';

export const inAppApplies: Applies<InAppEntry, InAppMessagesMemory> = {
  'inapp.saved': (state, { owner, message }) => {
    state.apps.get(owner)?.inApp.save(message);
  },
  'inapp.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.inApp.delete(id);
  },
};
