// When the statistics say that a campaign changed its state, the campaign itself is read again.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OperationName } from '../../api/client.ts';
import type { Campaign, CampaignStats } from '../../api/generated.ts';

const follows: readonly OperationName[] = [
  'readCampaignOfApp',
  'readCampaignSeries',
  'readCampaignLinks',
  'listRecipients',
];
const nearMs = 5_000;

export function useFollow(campaign: Campaign, stats: CampaignStats | undefined): void {
  const client = useQueryClient();
  const state = stats?.state;
  useEffect(() => {
    if (state === undefined || state === campaign.state) return;
    for (const one of follows) void client.invalidateQueries({ queryKey: [one] });
  }, [client, state, campaign.state]);
  // A scheduled campaign begins while one looks at it.
  const { nextAt } = campaign;
  useEffect(() => {
    if (campaign.state !== 'scheduled' || nextAt === null) return undefined;
    const waitMs = Date.parse(nextAt) - Date.now();
    if (waitMs > 86_400_000) return undefined;
    const timer = setInterval(
      () => void client.invalidateQueries({ queryKey: ['readCampaignStats'] }),
      Math.max(waitMs, nearMs),
    );
    return () => clearInterval(timer);
  }, [client, campaign.state, nextAt]);
}
