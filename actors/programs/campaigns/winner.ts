// Which variant of an experiment did best: the greatest share of those who were sent it. Of equals
// the one that the author gave more weight, then the one named first; so there is always one, also
// where nobody answered.

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
