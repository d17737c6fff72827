// Draws each person's variant, sample and holdout by a hash of campaign and person. It needs no
// memory, and occurrences, restarts and dry runs agree.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { CampaignRecord } from './records.ts';

/** Independent draws. */
const salts = { variant: 0x2545f491, sample: 0x9e3779b1, holdout: 0x85ebca77 } as const;

type Drawn = Pick<CampaignRecord, 'number' | 'variants' | 'experiment' | 'holdoutShare'>;

export function isHeldOut({ number, holdoutShare = 0 }: Drawn, person: PersonOrdinal): boolean {
  return holdoutShare > 0 && draw(number, person, salts.holdout) < holdoutShare;
}

/** Whether a person gets a variant before the winner is chosen. */
export function isInSample({ number, experiment }: Drawn, person: PersonOrdinal): boolean {
  return experiment === undefined || draw(number, person, salts.sample) < experiment.sampleShare;
}

/** The variant a person gets: drawn by weight, but the winner's outside the sample. */
export function variantFor(
  campaign: Drawn,
  { winner }: { readonly winner: string | null },
  person: PersonOrdinal,
): string | undefined {
  const { number, variants } = campaign;
  if (variants === undefined) return undefined;
  if (winner !== null && !isInSample(campaign, person)) return winner;
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let place = draw(number, person, salts.variant) * total;
  for (const variant of variants) {
    place -= variant.weight;
    if (place < 0) return variant.id;
  }
  return variants.at(-1)?.id;
}

/** The variants with their messages, or the only message. */
export function sourcesOf({
  messageId,
  variants,
}: Pick<CampaignRecord, 'messageId' | 'variants'>): readonly {
  readonly id?: string;
  readonly messageId: string;
}[] {
  return variants ?? [{ messageId }];
}

/** From 0 to below 1, evenly spread: two rounds of MurmurHash3's finalizer. */
function draw(campaign: number, person: PersonOrdinal, salt: number): number {
  return mixed(mixed(person ^ salt) ^ Math.imul(campaign, 0xcc9e2d51)) / 4294967296;
}

function mixed(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
