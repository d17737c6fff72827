// Pauses campaigns after a restore: those sending in the backup and those that may have started
// since. Their authors resume them.

import type { Millis } from '../../../engine/base/brand.ts';
import type { CampaignsEntry } from './entries.ts';
import type { CampaignsView } from './memory.ts';
import type { CampaignRecord } from './records.ts';

export function heldByRestore(
  { record: { ordinal: owner }, campaigns }: CampaignsView,
  nowMs: Millis,
): CampaignsEntry[] {
  return [...campaigns.unfinished()]
    .filter(({ record }) => mayHaveLeft(record, nowMs))
    .map(({ record: { undoMs: _until, ...record } }) => ({
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

/** Whether something may have been sent between the backup and the restore. */
function mayHaveLeft({ state, nextMs = Number.POSITIVE_INFINITY }: CampaignRecord, nowMs: Millis) {
  return state === 'sending' || (state === 'scheduled' && nextMs <= nowMs);
}
