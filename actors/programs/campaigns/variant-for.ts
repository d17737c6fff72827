// The variant a person gets in an occurrence: their own in the sample, else the winner.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';
import { isInSample, variantOf } from './share.ts';

/** `undefined` without variants. */
export function variantFor(
  campaign: CampaignRecord,
  { winner }: Pick<Occurrence, 'winner'>,
  person: PersonOrdinal,
): string | undefined {
  if (campaign.variants === undefined) return undefined;
  if (winner !== null && !isInSample(campaign, person)) return winner;
  return variantOf(campaign, person)?.id;
}
