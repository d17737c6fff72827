// The limits of a guard that is turned on.

import type { AppSettings } from '../api/generated.ts';

export type GuardBounds = NonNullable<AppSettings['campaignGuard']>;

/** What the API uses for members that are left out. */
export const guardDefaults: GuardBounds = {
  bounceShare: 0.2,
  bouncesAfterCalls: 100,
  complaintShare: 0.003,
  complaintsAfterDeliveries: 1_000,
  senderRefusalsInARow: 50,
};
