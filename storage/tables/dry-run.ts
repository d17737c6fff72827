// Campaign dry runs: each person's outcome, for a day. One row each for the whole and per slice.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface DryRunRow {
  readonly id: string;
  readonly campaignId: string;
  readonly atMs: Millis;
  /** From `Bitset.snapshot`. */
  readonly audience: Uint8Array;
  readonly parts: number;
}

/** Key: [dry run id, `dry_…`]. */
export const dryRuns = defineTable<DryRunRow>()({
  id: 22,
  name: 'dry runs',
  version: 1,
  fields: ['id', 'campaignId', 'atMs', 'audience', 'parts'],
});

interface DryRunPartRow {
  /** Packed, ascending. */
  readonly people: Uint8Array;
  /** Distinct (`Fate` of the campaigns area). */
  readonly fates: readonly object[];
  /** An index into them per person, two bytes, low first. */
  readonly codes: Uint8Array;
}

/** Key: [dry run id, part from 0]. */
export const dryRunParts = defineTable<DryRunPartRow>()({
  id: 23,
  name: 'dry run parts',
  version: 1,
  fields: ['people', 'fates', 'codes'],
});
