// Folds campaigns into memory.

import type { Applies } from '../../engine/actor/protocol.ts';
import type { PartitionState } from '../state.ts';
import type { CampaignsEntry } from './entries.ts';

export const campaignsApplies: Applies<CampaignsEntry, PartitionState> = {
  'campaign.saved': (state, { owner, campaign }) => {
    state.apps.get(owner)?.campaigns.save(campaign);
  },
  'campaign.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.campaigns.delete(id);
  },
};
