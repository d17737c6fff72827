// When a campaign pauses itself: what mailbox providers say of its emails. The app's settings have
// defaults of their own, and a campaign may replace any member.

import type { CampaignGuard } from './records.ts';

export type GuardBounds = Readonly<Required<CampaignGuard>>;

export const guardDefaults: GuardBounds = {
  bounceShare: 0.2,
  bouncesAfterCalls: 100,
  complaintShare: 0.003,
  complaintsAfterDeliveries: 1_000,
  senderRefusalsInARow: 50,
};

/** Shares are of so many of the latest calls or deliveries, at most. */
export const guardWindow = 1_000;

/** `null`: nothing pauses the campaign. Its own `null` or members win. */
export function guardOf(
  app: CampaignGuard | null | undefined,
  own: CampaignGuard | null | undefined,
): GuardBounds | null {
  if (own === null || (own === undefined && app === null)) return null;
  return { ...guardDefaults, ...app, ...own };
}
