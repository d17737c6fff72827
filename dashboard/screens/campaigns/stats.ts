// Statistics of many campaigns: rows that are drawn at the same time share one call of up to ten
// ids.

import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';

const gatherMs = 30;
const idsMax = 10;

interface Waiting {
  readonly app: string;
  readonly id: string;
  readonly resolve: (stats: CampaignStats) => void;
  readonly reject: (error: unknown) => void;
}

let gathered: Waiting[] = [];

/** Follows a campaign that is being sent. */
export function useRowStats(app: string, { id, state }: Campaign) {
  const isServed = useTopic(app, state === 'sending' ? `campaign:${id}` : undefined);
  return useQuery({
    queryKey: ['readCampaignStats', { path: { appId: app, id } }],
    queryFn: () => gatheredStats(app, id),
    enabled: state !== 'draft',
    refetchInterval: ({ state: { data } }) => !isServed && data?.state === 'sending' && pollEveryMs,
  });
}

function gatheredStats(app: string, id: string): Promise<CampaignStats> {
  return new Promise((resolve, reject) => {
    gathered.push({ app, id, resolve, reject });
    if (gathered.length === 1) setTimeout(ask, gatherMs);
    else if (gathered.length === idsMax) ask();
  });
}

function ask(): void {
  const asked = gathered;
  gathered = [];
  if (asked.length === 0) return;
  call('compareCampaigns', { query: { ids: asked.map(({ id }) => id).join(',') } }).then(
    ({ items }) => {
      for (const { id, resolve, reject } of asked) {
        const found = items.find(({ campaignId }) => campaignId === id);
        if (found === undefined) reject(new Error('no statistics'));
        else resolve(found);
      }
    },
    (error: unknown) => {
      // One of them was deleted meanwhile: each is asked alone.
      if (asApiError(error).status === 404 && asked.length > 1)
        for (const { app, id, resolve, reject } of asked)
          call('readCampaignStats', { path: { appId: app, id } }).then(resolve, reject);
      else for (const { reject } of asked) reject(error);
    },
  );
}
