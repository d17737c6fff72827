// Messages and entries of the meter, which mostly folds the entries of the areas that it counts.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Bytes } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { RowBytes } from '../../stored-share.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { DayCounts } from './month-days.ts';
import type { ClientMonthUsage } from './months.ts';
import type { EmailMonth } from './org-meter.ts';
import type { StoredByKind } from './stored-by-org.ts';
import type { Counted } from './stored-bytes.ts';

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
  'org.stored': {
    body: Caller;
    reply: { readonly storedBytes: Bytes; readonly byKind: StoredByKind };
  };
  /** Counts rows of an app that nothing counted yet. */
  'storage.count': { body: Caller; reply: null };
}

export type UsageEntry =
  /** Rows of counted tables grew, or shrank, with the documents of the same decision. */
  | (Entry & { readonly kind: 'storage.changed'; readonly rows: RowBytes })
  /** The first count of an app's rows has come to a place. */
  | (Entry & {
      readonly kind: 'storage.counted';
      readonly to: Counted;
      /** Absent for none. */
      readonly rows?: RowBytes;
    });
