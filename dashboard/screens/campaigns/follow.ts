// What belongs to the statistics of a campaign is read again when they move, though not each time.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OperationName } from '../../api/client.ts';
import type { Campaign, CampaignStats } from '../../api/generated.ts';

const follows: readonly OperationName[] = [
  'readCampaignSeries',
  'readCampaignLinks',
  'listRecipients',
];
/** They read every event, so they move less often than the numbers. */
const restMs = 5_000;
const nearMs = 5_000;

export function useFollow(campaign: Campaign, stats: CampaignStats | undefined): void {
  const client = useQueryClient();
  const figures = stats === undefined ? undefined : figuresOf(stats);
  const seen = useRef<{ figures: string | undefined; readMs: number }>({
    figures: undefined,
    readMs: 0,
  });
  useEffect(() => {
    if (figures === undefined || figures === seen.current.figures) return undefined;
    const isFirst = seen.current.figures === undefined;
    if (isFirst) {
      seen.current = { figures, readMs: Date.now() };
      return undefined;
    }
    const timer = setTimeout(
      () => {
        seen.current = { figures, readMs: Date.now() };
        for (const one of follows) void client.invalidateQueries({ queryKey: [one] });
      },
      Math.max(0, seen.current.readMs + restMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [client, figures]);
  // Without the stream the statistics are the first to know of a new state.
  const state = stats?.state;
  useEffect(() => {
    if (state === undefined || state === campaign.state) return;
    void client.invalidateQueries({ queryKey: ['readCampaignOfApp'] });
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

function figuresOf({ state, ...one }: CampaignStats): string {
  const { sent, delivered, bounced, failed, suppressed, opened, clicked, converted } = one;
  return [state, sent, delivered, bounced, failed, suppressed, opened, clicked, converted].join();
}
