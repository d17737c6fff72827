// Messages of the meter. It has no entries: it folds those of the areas that it counts.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { DayCounts } from './month-days.ts';
import type { ClientMonthUsage } from './months.ts';
import type { EmailMonth } from './org-meter.ts';

/** The people of one app in a month. */
export interface AppUsage {
  /** `null`, like the name, for the sum of deleted apps no longer kept by name. */
  readonly appId: string | null;
  readonly name: string | null;
  readonly deleted: boolean;
  readonly mau: number;
  /** By the end of each day, the last being today's so far; `null` where days are not kept. */
  readonly mauByDay: DayCounts | null;
  /** How many of them nobody has vouched for; `null` for a deleted app. */
  readonly unvouched: number | null;
  /** Anonymous people who expired in the month; `null` for a deleted app. */
  readonly expired: number | null;
}

/** What an org used in a month. */
export interface OrgUsage {
  readonly month: UtcMonth;
  /** Existing apps by id, then deleted ones with active people. */
  readonly apps: readonly AppUsage[];
  readonly emails: EmailMonth;
  /** By id. */
  readonly clients: readonly ClientMonthUsage[];
}

export interface UsageProtocol {
  /** `month`: default the current one. */
  'org.meter': { body: Caller & { month?: UtcMonth }; reply: OrgUsage };
  /** For the storage quota, about. */
  'org.stored': { body: Caller; reply: { readonly storedBytes: Bytes } };
}
