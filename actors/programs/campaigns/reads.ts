// What other areas read of campaigns.

import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { SendsReads } from '../../sending/outbox/reads.ts';
import type { WarmingProviders } from '../../sending/warm-up/reads.ts';
import type { CampaignsApp } from './memory.ts';

export interface CampaignsReads {
  readonly campaigns: Pick<CampaignsApp['campaigns'], 'get'>;
  readonly sending: Pick<
    CampaignsApp['sending'],
    'begunAt' | 'campaignIds' | 'of' | 'past' | 'rowsOn'
  >;
}

/** What statistics of a campaign are computed from. */
export type StatsReads = CampaignsReads & SegmentsReads & SendsReads & WarmingProviders;
