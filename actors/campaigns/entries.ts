// The entries of campaigns. What many people share is said once and people are packed, so that a slice of an audience is a
// few bytes a person; readers of the log make the events of it (`log-events.ts`), so everything an event says is in the entry.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ChannelStanding } from '../transactional/protocol.ts';
import type { Phase } from './lane.ts';
import type { CampaignRecord } from './records.ts';

/** What becomes of people whose turn it is. */
export type Turn =
  /** Handed to dispatch in the wave that the entry names. */
  | { readonly turn: 'wave' }
  /** Handed to dispatch as a send of the outbox, which has room for several devices. */
  | { readonly turn: 'send' }
  | {
      readonly turn: 'hold';
      readonly reason: string;
      readonly untilMs: Millis;
      readonly isNextDay?: true;
    }
  | { readonly turn: 'suppress'; readonly reason: string }
  /** Not there any more, or left alone since they engaged. */
  | { readonly turn: 'gone' };

/** One send of the outbox, for somebody with several devices on the channel. */
export interface QueuedSend {
  readonly person: PersonOrdinal;
  readonly deviceIds: readonly string[];
}

/** One row of a wave that did not end with its first try: it goes on as a send of the outbox. */
export interface SpilledRow {
  readonly person: PersonOrdinal;
  readonly deviceId: string;
  readonly attempts: number;
  /** When it is tried again; 0 for at once. */
  readonly dueMs: Millis;
  readonly ambiguous: boolean;
  readonly refusal?: string;
}

/** What a receipt says beside its status, shared by many rows. */
export interface ReceiptKind {
  readonly status: 'delivered' | 'bounced' | 'failed' | 'suppressed';
  readonly reason?: string;
  readonly detail?: string;
}

interface OfOccurrence extends Entry {
  readonly campaignId: string;
  readonly occurrence: number;
  readonly atMs: Millis;
}

export type CampaignsEntry =
  | (Entry & { readonly kind: 'campaign.saved'; readonly campaign: CampaignRecord })
  | (Entry & { readonly kind: 'campaign.deleted'; readonly id: string })
  /** An occurrence begins. `audience`: as `Bitset.snapshot` writes. */
  | (OfOccurrence & { readonly kind: 'campaign.started'; readonly audience: Uint8Array })
  /** A slice of a lane had its turn. */
  | (OfOccurrence & {
      readonly kind: 'campaign.decided';
      readonly phase: Phase;
      readonly channel: number;
      /** Where all get the same. */
      readonly messageId?: string;
      /** Packed, ascending. */
      readonly people: Uint8Array;
      readonly turns: readonly Turn[];
      /** An index into `turns` for each person; absent where all had the first. */
      readonly codes?: Uint8Array;
      readonly wave: number;
      readonly sends: readonly QueuedSend[];
      readonly firstEvent: number;
    })
  /** Rows of a wave came back. Those that ended have receipts, in the order of `people`; the others spill. */
  | (OfOccurrence & {
      readonly kind: 'wave.settled';
      readonly phase: Phase;
      readonly channel: number;
      readonly wave: number;
      readonly standing: ChannelStanding | null;
      readonly firstEvent: number;
      readonly people: Uint8Array;
      readonly kinds: readonly ReceiptKind[];
      readonly codes?: Uint8Array;
      readonly messageIds: readonly string[];
      /** Which of them each got; absent where all got the first. */
      readonly messages?: Uint8Array;
      /** Twelve bytes each: what of a device id is its own. */
      readonly devices: Uint8Array;
      /** Absent where no provider gave one; an empty text for none. */
      readonly providerIds?: readonly string[];
      readonly spilled: readonly SpilledRow[];
    })
  /** Whoever was held until now has their turn. */
  | (OfOccurrence & { readonly kind: 'campaign.released' })
  | (OfOccurrence & { readonly kind: 'campaign.won'; readonly variant: string })
  /** Everybody had their turn: who does not answer until then gets it on the fallback channels. */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_awaited'; readonly untilMs: Millis })
  /** The wait for engagement is over: everybody targeted who neither opened nor clicked has their turn. */
  | (OfOccurrence & { readonly kind: 'campaign.fallback_began' })
  | (OfOccurrence & { readonly kind: 'campaign.occurrence_ended' })
  /** Engagement is not looked at any more: only the counters stay. */
  | (OfOccurrence & { readonly kind: 'campaign.answered_for_good' });
