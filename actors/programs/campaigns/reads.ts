// What other areas read of campaigns.

import type { CampaignsApp } from './state.ts';

export interface CampaignsReads {
  readonly campaigns: Pick<CampaignsApp['campaigns'], 'get'>;
  readonly sending: Pick<CampaignsApp['sending'], 'begunAt' | 'campaignIds' | 'of' | 'rowsOn'>;
}
