// What the audit log notes of journeys.

import type { Message } from '../../../engine/actor/message.ts';
import type { Notes } from '../../audit-note.ts';
import type { JourneysEntry } from './entries.ts';
import type { JourneysMemory } from './memory.ts';
import { eachStep, type Step } from './steps.ts';

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

/** Texts are cut: a body may be a whole email, and a note is kept for 400 days. */
const charsMax = 500;

/** The saved message that the step names, or its own title and body. Empty without the step. */
function stepText(steps: readonly Step[] | undefined, id: string): Record<string, string> {
  const text: Record<string, string> = {};
  eachStep(steps ?? [], (step) => {
    if (step.id !== id || step.type !== 'send') return;
    if ('messageId' in step) text['messageId'] = step.messageId;
    else {
      const { title, body } = step.message;
      if (title !== undefined) text['title'] = cut(title);
      if (body !== undefined) text['body'] = cut(body);
    }
  });
  return text;
}

/** Not within a surrogate pair. */
function cut(text: string): string {
  const some = [...text.slice(0, 2 * charsMax + 1)];
  return some.length <= charsMax ? text : `${some.slice(0, charsMax).join('')}…`;
}
