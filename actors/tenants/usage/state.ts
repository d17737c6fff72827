// The meter in memory: monthly active users, and what an org is billed for.

import type { NewApp, NewOrg, Slice } from '../../area.ts';
import { MonthlyActive, type MonthlyActiveSnapshot } from './monthly-active.ts';
import { OrgMeter, type OrgMeterSnapshot } from './org-meter.ts';

export interface UsageApp {
  readonly monthlyActive: MonthlyActive;
}

export interface UsageOrg {
  readonly meter: OrgMeter;
}

export const usageOfApp: Slice<
  UsageApp,
  { readonly monthlyActive: MonthlyActiveSnapshot },
  NewApp
> = {
  make: () => ({ monthlyActive: new MonthlyActive() }),
  snapshot: ({ monthlyActive }) => ({ monthlyActive: monthlyActive.snapshot() }),
  restore: ({ monthlyActive }) => ({ monthlyActive: MonthlyActive.restore(monthlyActive) }),
};

export const usageOfOrg: Slice<UsageOrg, { readonly meter: OrgMeterSnapshot }, NewOrg> = {
  make: () => ({ meter: new OrgMeter() }),
  snapshot: ({ meter }) => ({ meter: meter.snapshot() }),
  restore: ({ meter }) => ({ meter: OrgMeter.restore(meter) }),
};
