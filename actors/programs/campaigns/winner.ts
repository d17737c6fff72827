// The best variant of an experiment: the highest share of its recipients; of equals the heavier,
// then the first. There is always a winner, even without any opens.

import type { CampaignRecord } from './records.ts';
import type { Tally } from './tally.ts';

export function winnerOf(
  { variants = [], experiment }: Pick<CampaignRecord, 'variants' | 'experiment'>,
  tally: Pick<Tally, 'variants'>,
): string {
  const metric = experiment?.winnerMetric ?? 'clicked';
  const ranked = variants.map(({ id, weight }) => {
    const counts = tally.variants.get(id);
    const share = counts === undefined || counts.sent === 0 ? 0 : counts[metric] / counts.sent;
    return { id, weight, share };
  });
  ranked.sort((one, other) => other.share - one.share || other.weight - one.weight);
  return ranked[0]?.id ?? '';
}
