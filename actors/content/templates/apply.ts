// Folds handles of templates; only their table has the content.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { TemplatesMemory } from './memory.ts';
import type { TemplatesEntry } from './protocol.ts';

export const templatesApplies: Applies<TemplatesEntry, TemplatesMemory> = {
  'template.created': (state, { owner, id, name }) => {
    state.apps.get(owner)?.templates.set(name, id);
  },
  'template.changed': (state, { owner, id, name, nameBefore }) => {
    const templates = state.apps.get(owner)?.templates;
    if (templates === undefined || nameBefore === undefined) return;
    templates.delete(nameBefore);
    templates.set(name, id);
  },
  'template.deleted': (state, { owner, name }) => {
    state.apps.get(owner)?.templates.delete(name);
  },
};
