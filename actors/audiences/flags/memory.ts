// Feature flags in memory, by key; and what flags see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { WeighedMap } from '../../weight.ts';
import type { SegmentsReads } from '../segments/reads.ts';
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

export type FlagsView = FlagsApp & AccountsReads & AudienceReads & SegmentsReads;

export type FlagsMemory = AppsOf<FlagsView>;
