// The meter in memory: monthly active users, and what an org is billed for.

import type { NewApp, NewOrg, Slice } from '../../area.ts';
import { MonthlyActive, type MonthlyActiveSnapshot } from './monthly-active.ts';
import { OrgMeter, type OrgMeterSnapshot } from './org-meter.ts';
import { StoredBytes, type StoredBytesSnapshot } from './stored-bytes.ts';

export interface UsageApp {
  readonly monthlyActive: MonthlyActive;
  readonly stored: StoredBytes;
}

export interface UsageOrg {
  readonly meter: OrgMeter;
}

interface AppSnapshot {
  readonly monthlyActive: MonthlyActiveSnapshot;
  /** Absent from before it was counted. */
  readonly stored?: StoredBytesSnapshot;
}

export const usageOfApp: Slice<UsageApp, AppSnapshot, NewApp> = {
  make: () => ({ monthlyActive: new MonthlyActive(), stored: new StoredBytes() }),
  snapshot: ({ monthlyActive, stored }) => ({
    monthlyActive: monthlyActive.snapshot(),
    stored: stored.snapshot(),
  }),
  restore: ({ monthlyActive, stored }) => ({
    monthlyActive: MonthlyActive.restore(monthlyActive),
    stored: StoredBytes.restore(stored),
  }),
};

export const usageOfOrg: Slice<UsageOrg, { readonly meter: OrgMeterSnapshot }, NewOrg> = {
  make: () => ({ meter: new OrgMeter() }),
  snapshot: ({ meter }) => ({ meter: meter.snapshot() }),
  restore: ({ meter }) => ({ meter: OrgMeter.restore(meter) }),
};
