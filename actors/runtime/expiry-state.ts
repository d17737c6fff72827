// How many people expired: per app and month for its usage, and of a partition for the metrics.

import type { NewApp, Slice } from '../area.ts';
import { MonthLedger, type MonthLedgerSnapshot } from '../tenants/usage/month-ledger.ts';

export interface ExpiryApp {
  readonly expiredIn: MonthLedger<number>;
}

export interface ExpiryPartition {
  /** Since the partition began. */
  expiredPeople: number;
}

interface Snapshot {
  /** Absent in checkpoints of earlier builds. */
  readonly expiredIn?: MonthLedgerSnapshot<number>;
}

export const expiryOfApp: Slice<ExpiryApp, Snapshot, NewApp> = {
  make: () => ({ expiredIn: new MonthLedger() }),
  snapshot: ({ expiredIn }) => ({ expiredIn: expiredIn.snapshot() }),
  restore: ({ expiredIn = [] }) => ({ expiredIn: MonthLedger.restore(expiredIn) }),
};

export const expiryOfPartition: Slice<ExpiryPartition, Partial<ExpiryPartition>, object> = {
  make: () => ({ expiredPeople: 0 }),
  snapshot: ({ expiredPeople }) => ({ expiredPeople }),
  restore: ({ expiredPeople = 0 }) => ({ expiredPeople }),
};
