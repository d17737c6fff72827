// What counts as a change of a journey for those who edit it: its steps, its trigger and whether it
// is live. What going live derives from them does not.

import type { Editable, EditableOf } from '../../area.ts';
import type { JourneysMemory } from './memory.ts';
import { journeyEtag } from './records.ts';

const journeyOf = (
  { apps }: JourneysMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const record = apps.get(owner)?.journeys.get(id)?.record;
  return record && { key: id, etag: journeyEtag(record), changedMs: record.updatedMs };
};

export const journeyEdits = {
  'journey.update': journeyOf,
  'journey.correct': journeyOf,
  'journey.archive': journeyOf,
  'journey.unarchive': journeyOf,
} satisfies Record<string, EditableOf<JourneysMemory>>;

export const journeyEnds = {
  'journey.delete': journeyOf,
} satisfies Record<string, EditableOf<JourneysMemory>>;
