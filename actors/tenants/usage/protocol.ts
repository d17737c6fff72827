// What the meter answers. It has no entries of its own: it folds those of the areas whose events
// and receipts it counts.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { EmailMonth } from './org-meter.ts';

/** The people of one app in a month. */
export interface AppUsage {
  /** `null`, like the name: deleted apps that are no longer kept one by one, together. */
  readonly appId: string | null;
  readonly name: string | null;
  readonly deleted: boolean;
  readonly mau: number;
}

/** What an org used in a month. */
export interface OrgUsage {
  readonly month: UtcMonth;
  /** Apps that are there, by id; then deleted ones that somebody was active in. */
  readonly apps: readonly AppUsage[];
  readonly emails: EmailMonth;
}

export interface UsageProtocol {
  /** `month`: the one under way unless named. */
  'org.meter': { body: Caller & { month?: UtcMonth }; reply: OrgUsage };
}
