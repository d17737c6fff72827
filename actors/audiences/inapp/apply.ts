// Folds in-app messages into memory. What people did with them is folded with their events
// (`actors/events/apply.ts`).

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { InAppEntry } from './protocol.ts';
import type { InAppMessagesMemory } from './view.ts';

export const inAppApplies: Applies<InAppEntry, InAppMessagesMemory> = {
  'inapp.saved': (state, { owner, message }) => {
    state.apps.get(owner)?.inApp.save(message);
  },
  'inapp.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.inApp.delete(id);
  },
};
