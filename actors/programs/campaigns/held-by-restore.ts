// Campaigns that a restore holds: those under way at the cut, and those that may have begun since.
// They go on when their author says so.

import type { Millis } from '../../../engine/base/brand.ts';
import type { CampaignsEntry } from './entries.ts';
import type { CampaignRecord } from './records.ts';
import type { CampaignsView } from './view.ts';

/** The entries that pause them. */
export function heldByRestore(
  { record: { ordinal: owner }, campaigns }: CampaignsView,
  nowMs: Millis,
): CampaignsEntry[] {
  return [...campaigns.unfinished()]
    .filter(({ record }) => mayHaveLeft(record, nowMs))
    .map(({ record }) => ({
      kind: 'campaign.saved',
      owner,
      campaign: {
        ...record,
        state: 'paused',
        stateReason: 'restored',
        pausedFrom: record.state === 'scheduled' ? 'scheduled' : 'sending',
        updatedMs: nowMs,
      },
    }));
}

/** Whether something of a campaign may have left between the cut and the restore. */
function mayHaveLeft({ state, nextMs = Number.POSITIVE_INFINITY }: CampaignRecord, nowMs: Millis) {
  return state === 'sending' || (state === 'scheduled' && nextMs <= nowMs);
}
