// The entries of campaigns, with those of slices and waves (`sending/dispatch/entries.ts`).

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { OfOccurrence, SliceDecided, WaveSettled } from '../../sending/dispatch/entries.ts';
import type { CampaignRecord } from './records.ts';

export type CampaignsEntry =
  | (Entry & {
      readonly kind: 'campaign.saved';
      readonly campaign: CampaignRecord;
      /** Occurrences begun before keep what the campaign was before. */
      readonly replacesPlan?: true;
    })
  | (Entry & { readonly kind: 'campaign.deleted'; readonly id: string })
  /** A part of a dry run was stored. */
  | (Entry & {
      readonly kind: 'dry_run.written';
      readonly dryRunId: string;
      readonly campaignId: string;
      readonly atMs: Millis;
    })
  | (Entry & { readonly kind: 'dry_run.swept'; readonly dryRunId: string })
  /** An occurrence starts. `audience`: as `Bitset.snapshot` writes. */
  | (OfOccurrence & {
      readonly kind: 'campaign.started';
      readonly audience: Uint8Array;
      /** For optimal-time delivery: the local hour of people who never opened anything. */
      readonly appHour?: number;
    })
  | SliceDecided
  | WaveSettled
  /** People held until now get their turn. */
  | (OfOccurrence & { readonly kind: 'campaign.released' })
  | (OfOccurrence & { readonly kind: 'campaign.won'; readonly variant: string })
  /** The primary pass is over; people who do not react until `untilMs` get the fallback. */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_awaited'; readonly untilMs: Millis })
  /** Everyone targeted who neither opened nor clicked gets a turn. */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_began' })
  | (OfOccurrence & { readonly kind: 'campaign.occurrence_ended' })
  /** Opens and clicks no longer count; only the counters stay. */
  | (OfOccurrence & { readonly kind: 'campaign.answered_for_good' });

/** `replacesPlan`: occurrences begun before keep what the campaign was before. */
export function savedEntry(
  owner: number,
  campaign: CampaignRecord,
  replacesPlan = false,
): CampaignsEntry {
  const kind = 'campaign.saved';
  return { kind, owner, campaign, ...(replacesPlan ? { replacesPlan } : {}) };
}
