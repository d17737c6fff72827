// Aggregate reports in memory, and what this area sees of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads } from '../accounts/reads.ts';
import { DmarcDays, type DmarcSnapshot } from './dmarc-days.ts';

export interface DmarcApp {
  readonly dmarc: DmarcDays;
}

/** Absent in checkpoints of earlier builds. */
type Snapshot = { readonly dmarc?: DmarcSnapshot };

export const dmarcOfApp: Slice<DmarcApp, Snapshot, NewApp> = {
  make: () => ({ dmarc: new DmarcDays() }),
  snapshot: ({ dmarc }) => ({ dmarc: dmarc.snapshot() }),
  restore: ({ dmarc = [] }) => ({ dmarc: DmarcDays.restore(dmarc) }),
};

export type DmarcView = DmarcApp & AccountsReads;

export type DmarcMemory = AppsOf<DmarcView>;
