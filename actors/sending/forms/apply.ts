// Folds sign-up forms.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { FormsMemory } from './memory.ts';
import type { FormsEntry } from './protocol.ts';

export const formsApplies: Applies<FormsEntry, FormsMemory> = {
  'form.saved': (state, { owner, form }) => {
    state.apps.get(owner)?.forms.set(form.key, form);
  },
  'form.deleted': (state, { owner, key }) => {
    state.apps.get(owner)?.forms.delete(key);
  },
};
