// The entries of people who are handed to dispatch together, and of what becomes of them. Here,
// below the campaigns that write them, since readers of the log make events of them: so all that an
// event says is in the entry. What many people share is said once and people are packed: a slice of
// an audience is a few bytes a person.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import type { ProviderHealth } from '../transactional/protocol.ts';

/** The first pass over an audience, and the one over those who did not answer it. */
export type Phase = 'primary' | 'fallback';

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

/**
 * Whether a hold is a deferral, told as an event: one that policy asks for, not one that the author
 * chose.
 */
export function isDeferral(reason: string): boolean {
  return reason === 'quiet_hours' || reason === 'daily_cap';
}

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

/** What a receipt says beside its person, shared by many rows. */
export interface ReceiptKind {
  readonly status: 'delivered' | 'bounced' | 'failed' | 'suppressed';
  readonly reason?: string;
  readonly detail?: string;
}

export interface OfOccurrence extends Entry {
  readonly campaignId: string;
  readonly occurrence: number;
  readonly atMs: Millis;
}

/** A slice of a lane had its turn. */
export interface SliceDecided extends OfOccurrence {
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
  firstEvent: number;
}

/**
 * Rows of a wave came back. Those that ended have receipts, in the order of `people`; the others
 * spill.
 */
export interface WaveSettled extends OfOccurrence {
  readonly kind: 'wave.settled';
  readonly phase: Phase;
  readonly channel: number;
  readonly wave: number;
  /** What the ids of its sends share; the person is the last 32 bits. */
  readonly sendParts: IdParts;
  readonly standing: ProviderHealth | null;
  firstEvent: number;
  readonly people: Uint8Array;
  readonly kinds: readonly ReceiptKind[];
  readonly codes?: Uint8Array;
  readonly messageIds: readonly string[];
  /** Which of them each got; absent where all got the first. */
  readonly messages?: Uint8Array;
  /** `device-ids.ts`. */
  readonly devices: Uint8Array;
  /** Absent where no provider gave one; an empty text for none. */
  readonly providerIds?: readonly string[];
  readonly spilled: readonly SpilledRow[];
}
