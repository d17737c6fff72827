// What the audit log notes of journeys.

import type { Message } from '../../../engine/actor/message.ts';
import type { Notes } from '../../audit-note.ts';
import type { JourneysEntry } from './entries.ts';
import type { JourneysMemory } from './memory.ts';
import { stepText } from './step-text.ts';

export const journeysNotes: Notes<JourneysEntry, JourneysMemory> = {
  'journey.saved': (state, { owner, journey, replaces }, _context, message) => {
    const before = state.apps.get(owner)?.journeys.get(journey.id)?.record;
    const wasActive = before?.active ?? false;
    if (message.kind === 'journey.correct' && wasActive) {
      const { step } = message as Message & { readonly step: string };
      return {
        action: 'journey.corrected',
        target: journey.id,
        before: { name: journey.name, ...stepText(before?.steps, step) },
        after: { step, ...stepText(journey.steps, step) },
      };
    }
    const { id: target, name } = journey;
    if (message.kind === 'journey.archive')
      return { action: 'journey.archived', target, before: { name } };
    if (message.kind === 'journey.unarchive')
      return { action: 'journey.unarchived', target, before: { name } };
    if (wasActive === journey.active) return undefined;
    return {
      action: journey.active ? 'journey.activated' : 'journey.paused',
      target,
      before: { name, active: wasActive },
      after: { active: journey.active, replaces, replacedBy: journey.replacedBy },
    };
  },
  'journey.deleted': (state, { owner, id }) => {
    const record = state.apps.get(owner)?.journeys.get(id)?.record;
    return { action: 'journey.deleted', target: id, before: { name: record?.name } };
  },
};
