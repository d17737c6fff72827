// Feature flags in memory, by key.

import type { NewApp, Slice } from '../../area.ts';
import { WeighedMap } from '../../weight.ts';
import { type Flag, type FlagRecord, flagOf } from './flag.ts';

export interface FlagsApp {
  readonly flags: WeighedMap<Flag>;
}

type Snapshot = { readonly flags: readonly FlagRecord[] };

export const flagsOfApp: Slice<FlagsApp, Snapshot, NewApp> = {
  make: () => ({ flags: flagsFrom([]) }),
  snapshot: ({ flags }) => ({ flags: [...flags.values()].map(({ record }) => record) }),
  restore: ({ flags }) => ({ flags: flagsFrom(flags) }),
};

function flagsFrom(records: readonly FlagRecord[]): WeighedMap<Flag> {
  const flags = new WeighedMap<Flag>(({ record }) => record);
  for (const record of records) flags.set(record.key, flagOf(record));
  return flags;
}
