// The entries of campaigns, with those of the slices and waves that dispatch gets
// (`actors/sending/dispatch/entries.ts`).

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { OfOccurrence, SliceDecided, WaveSettled } from '../../sending/dispatch/entries.ts';
import type { CampaignRecord } from './records.ts';

export type CampaignsEntry =
  | (Entry & { readonly kind: 'campaign.saved'; readonly campaign: CampaignRecord })
  | (Entry & { readonly kind: 'campaign.deleted'; readonly id: string })
  /** A part of a dry run is kept. */
  | (Entry & {
      readonly kind: 'dry_run.written';
      readonly dryRunId: string;
      readonly campaignId: string;
      readonly atMs: Millis;
    })
  | (Entry & { readonly kind: 'dry_run.swept'; readonly dryRunId: string })
  /** An occurrence begins. `audience`: as `Bitset.snapshot` writes. */
  | (OfOccurrence & {
      readonly kind: 'campaign.started';
      readonly audience: Uint8Array;
      /** The local hour of people who never read, of one that is delivered at the optimal time. */
      readonly appHour?: number;
    })
  | SliceDecided
  | WaveSettled
  /** Whoever was held until now has their turn. */
  | (OfOccurrence & { readonly kind: 'campaign.released' })
  | (OfOccurrence & { readonly kind: 'campaign.won'; readonly variant: string })
  /** Everybody had their turn: who does not answer until then gets it on the fallback channels. */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_awaited'; readonly untilMs: Millis })
  /**
   * The wait for engagement is over: everybody targeted who neither opened nor clicked has their
   * turn.
   */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_began' })
  | (OfOccurrence & { readonly kind: 'campaign.occurrence_ended' })
  /** Engagement is not looked at any more: only the counters stay. */
  | (OfOccurrence & { readonly kind: 'campaign.answered_for_good' });
