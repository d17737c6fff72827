// Forms in memory, by key in the order of creation; and what forms see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import { WeighedMap } from '../../weight.ts';
import type { FormRecord } from './form.ts';

export interface FormsApp {
  readonly forms: WeighedMap<FormRecord>;
}

/** Absent in checkpoints of earlier builds. */
type Snapshot = { readonly forms?: readonly FormRecord[] };

export const formsOfApp: Slice<FormsApp, Snapshot, NewApp> = {
  make: () => ({ forms: formsFrom([]) }),
  snapshot: ({ forms }) => ({ forms: [...forms.values()] }),
  restore: ({ forms = [] }) => ({ forms: formsFrom(forms) }),
};

function formsFrom(records: readonly FormRecord[]): WeighedMap<FormRecord> {
  const forms = new WeighedMap<FormRecord>((record) => record);
  for (const record of records) forms.set(record.key, record);
  return forms;
}

export type FormsView = FormsApp & TopicsReads;

export type FormsMemory = AppsOf<FormsView>;
