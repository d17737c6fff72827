// Dry runs of campaigns: the outcome for each person, kept for a day for people to look at and to
// compare a send with. One row for the whole, and one for each slice of its audience.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface DryRunRow {
  readonly id: string;
  readonly campaignId: string;
  readonly atMs: Millis;
  /** As `Bitset.snapshot` writes. */
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
  /** The different fates (`Fate` of the campaigns area). */
  readonly fates: readonly object[];
  /** An index into them for each person, two bytes, the lower first. */
  readonly codes: Uint8Array;
}

/** Key: [dry run id, number of the part from 0]. */
export const dryRunParts = defineTable<DryRunPartRow>()({
  id: 23,
  name: 'dry run parts',
  version: 1,
  fields: ['people', 'fates', 'codes'],
});
