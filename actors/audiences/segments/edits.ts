// Which messages change or delete a segment.

import type { Editable, EditableOf } from '../../area.ts';
import type { SegmentsMemory } from './memory.ts';
import { segmentEtag } from './segment-etag.ts';

const segmentOf = (
  { apps }: SegmentsMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const record = apps.get(owner)?.segments.get(id);
  return record && { key: id, etag: segmentEtag(record), changedMs: record.updatedMs };
};

export const segmentEdits = {
  'segment.update': segmentOf,
} satisfies Record<string, EditableOf<SegmentsMemory>>;

export const segmentEnds = {
  'segment.delete': segmentOf,
} satisfies Record<string, EditableOf<SegmentsMemory>>;
