// Where a person stands in a campaign by chance alone, and always the same: which variant they get,
// whether they are in the sample or held out. A hash of campaign and person, so that it needs no
// memory, and a second occurrence, a restart and a dry run agree with the first.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { CampaignRecord, Variant } from './records.ts';

/** What is drawn. Each is independent of the others. */
const salts = { variant: 0x2545f491, sample: 0x9e3779b1, holdout: 0x85ebca77 } as const;

type Drawn = Pick<CampaignRecord, 'number' | 'variants' | 'experiment' | 'holdoutShare'>;

/** Whether a person gets nothing, to compare the others with. */
export function isHeldOut({ number, holdoutShare = 0 }: Drawn, person: PersonOrdinal): boolean {
  return holdoutShare > 0 && draw(number, person, salts.holdout) < holdoutShare;
}

/**
 * Whether a person is in the sample of an experiment, which gets the variants before one of them
 * has won.
 */
export function isInSample({ number, experiment }: Drawn, person: PersonOrdinal): boolean {
  return experiment === undefined || draw(number, person, salts.sample) < experiment.sampleShare;
}

/**
 * The variant that a person gets by their place among the weights; `undefined` where there are
 * none.
 */
export function variantOf(campaign: Drawn, person: PersonOrdinal): Variant | undefined {
  const { number, variants } = campaign;
  if (variants === undefined) return undefined;
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let place = draw(number, person, salts.variant) * total;
  for (const variant of variants) {
    place -= variant.weight;
    if (place < 0) return variant;
  }
  return variants.at(-1);
}

/**
 * A number from 0 up to 1, evenly spread over people (two rounds of the finalizer of MurmurHash3).
 */
function draw(campaign: number, person: PersonOrdinal, salt: number): number {
  return mixed(mixed(person ^ salt) ^ Math.imul(campaign, 0xcc9e2d51)) / 4294967296;
}

function mixed(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
