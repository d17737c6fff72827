// What counts as a change of a feature flag for those who edit it: all that they set.

import type { Editable, EditableOf } from '../../area.ts';
import { findFlag } from './decide.ts';
import { flagEtag } from './flag.ts';
import type { FlagsMemory } from './memory.ts';

const flagOf = (
  { apps }: FlagsMemory,
  { flag }: { readonly flag: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const app = apps.get(owner);
  const record = app && findFlag(app, flag)?.record;
  return record && { key: record.id, etag: flagEtag(record), changedMs: record.updatedMs };
};

export const flagEdits = {
  'flag.update': flagOf,
} satisfies Record<string, EditableOf<FlagsMemory>>;

export const flagEnds = {
  'flag.delete': flagOf,
} satisfies Record<string, EditableOf<FlagsMemory>>;
