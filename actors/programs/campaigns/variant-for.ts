// Which variant somebody gets in an occurrence: their own while they are in the sample, the one
// that won afterwards.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';
import { isInSample, variantOf } from './share.ts';

/** The id of the variant; `undefined` where there are none. */
export function variantFor(
  campaign: CampaignRecord,
  { winner }: Pick<Occurrence, 'winner'>,
  person: PersonOrdinal,
): string | undefined {
  if (campaign.variants === undefined) return undefined;
  if (winner !== null && !isInSample(campaign, person)) return winner;
  return variantOf(campaign, person)?.id;
}
