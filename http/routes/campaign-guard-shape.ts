// The wire shape of the guard of an app's campaigns, and of one campaign.

import { z } from 'zod';
import { integerRange } from '../../actors/integer-range.ts';
import { guardDefaults, guardWindow } from '../../actors/tenants/accounts/campaign-guard.ts';

const aShare = 'is a share above 0 and at most 1, such as 0.2 for 20 %';
const share = z.number().gt(0, aShare).max(1, aShare).nullable();
const some = integerRange(1, guardWindow);
const { bounceShare, bouncesAfterCalls, complaintShare } = guardDefaults;
const { complaintsAfterDeliveries, senderRefusalsInARow } = guardDefaults;

const members = {
  bounceShare: share.describe(
    `Pauses above this share of bounces among the latest ${guardWindow} emails, including those that bounce later: \`guard_bounces\`. \`null\`: never. Default ${bounceShare}.`,
  ),
  bouncesAfterCalls: some.describe(
    `Minimum number of emails before bounces are judged. Default ${bouncesAfterCalls}.`,
  ),
  complaintShare: share.describe(
    `Pauses above this share of spam reports among the latest ${guardWindow} delivered emails: \`guard_complaints\`. \`null\`: never. Default ${complaintShare}.`,
  ),
  complaintsAfterDeliveries: some.describe(
    `Minimum number of deliveries before spam reports are judged. Default ${complaintsAfterDeliveries}.`,
  ),
  senderRefusalsInARow: some
    .nullable()
    .describe(
      `Pauses when this many emails in a row are refused because of their sender: \`guard_sender_refused\`. \`null\`: never. Default ${senderRefusalsInARow}.`,
    ),
};

export const guardPatch = z.object({
  bounceShare: members.bounceShare.optional(),
  bouncesAfterCalls: members.bouncesAfterCalls.optional(),
  complaintShare: members.complaintShare.optional(),
  complaintsAfterDeliveries: members.complaintsAfterDeliveries.optional(),
  senderRefusalsInARow: members.senderRefusalsInARow.optional(),
});

export const guardSchema = z.object(members);
