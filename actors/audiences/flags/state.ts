// Feature flags in memory, by key.

import type { NewApp, Slice } from '../../area.ts';
import { type Flag, type FlagRecord, flagOf } from './flag.ts';

export interface FlagsApp {
  readonly flags: Map<string, Flag>;
}

type Snapshot = { readonly flags: readonly FlagRecord[] };

export const flagsOfApp: Slice<FlagsApp, Snapshot, NewApp> = {
  make: () => ({ flags: new Map() }),
  snapshot: ({ flags }) => ({ flags: [...flags.values()].map(({ record }) => record) }),
  restore: ({ flags }) => ({ flags: new Map(flags.map((one) => [one.key, flagOf(one)])) }),
};
