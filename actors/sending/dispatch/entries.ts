// The entries of people of a campaign that are passed to dispatch together, and of their results.
// They are here, below the campaigns that write them, because readers of the log make events from
// them: an entry contains everything that its events need. Shared values are stored once and people
// are packed: a slice of an audience takes a few bytes per person.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import type { ProviderHealth } from '../outbox/circuit.ts';
import type { ReceiptStatus } from '../outbox/records.ts';
import type { WarmedMails } from '../warm-up/mails.ts';

/** The first pass over an audience, and the one over people who did not respond to it. */
export type Phase = 'primary' | 'fallback';

/** The decision for people whose turn it is. */
export type Turn =
  /** Dispatched in the wave that the entry names. */
  | { readonly turn: 'wave' }
  /** Dispatched as a send of the outbox, which allows several devices. */
  | { readonly turn: 'send' }
  | {
      readonly turn: 'hold';
      readonly reason: string;
      readonly untilMs: Millis;
      readonly isNextDay?: true;
    }
  | { readonly turn: 'suppress'; readonly reason: string }
  /** Deleted, or left out since they engaged. */
  | { readonly turn: 'gone' };

/**
 * Whether a hold is a deferral with an event: one from a policy, not from the author's schedule.
 */
export function isDeferral(reason: string): boolean {
  return reason === 'quiet_hours' || reason === 'daily_cap' || reason === 'warm_up';
}

/** One send of the outbox, for a person with several devices on the channel. */
export interface QueuedSend {
  readonly person: PersonOrdinal;
  readonly deviceIds: readonly string[];
}

/** One row of a wave that did not end with its first try; it continues as a send of the outbox. */
export interface SpilledRow {
  readonly person: PersonOrdinal;
  readonly deviceId: string;
  readonly attempts: number;
  /** When it is retried; 0 for at once. */
  readonly dueMs: Millis;
  readonly ambiguous: boolean;
  readonly refusal?: string;
  /** The relay that may have taken it. */
  readonly relay?: string;
}

/** A receipt without its person, shared by many rows. */
export interface ReceiptKind {
  readonly status: ReceiptStatus;
  readonly reason?: string;
  readonly detail?: string;
}

export interface OfOccurrence extends Entry {
  readonly campaignId: string;
  readonly occurrence: number;
  readonly atMs: Millis;
}

/** A slice of a lane was decided. */
export interface SliceDecided extends OfOccurrence {
  readonly kind: 'campaign.decided';
  readonly phase: Phase;
  readonly channel: number;
  /** For people whom no channel reaches: the message's channel, if it has only one. */
  readonly meant?: number;
  /** Set where all get the same message. */
  readonly messageId?: string;
  /** Packed, ascending. */
  readonly people: Uint8Array;
  readonly turns: readonly Turn[];
  /** An index into `turns` per person; absent where all have the first. */
  readonly codes?: Uint8Array;
  readonly wave: number;
  /** By which relay the wave leaves, where its channel has relays; it may find out about it. */
  readonly relay?: string;
  readonly probes?: true;
  readonly sends: readonly QueuedSend[];
  /** What it begins of a sender domain that is warming up. */
  readonly warmed?: WarmedMails;
  firstEvent: number;
}

/**
 * Rows of a wave have results. Finished ones have receipts, in the order of `people`; the others
 * are in `spilled`.
 */
export interface WaveSettled extends OfOccurrence {
  readonly kind: 'wave.settled';
  readonly phase: Phase;
  readonly channel: number;
  readonly wave: number;
  /** By which relay it left, where its channel has relays, and what that was called then. */
  readonly relay?: string;
  readonly relayName?: string;
  /** Of emails: the domain of their sender. */
  readonly domain?: string;
  /** The shared part of its sends' ids; the person is the last 32 bits. */
  readonly sendParts: IdParts;
  readonly standing: ProviderHealth | null;
  firstEvent: number;
  readonly people: Uint8Array;
  readonly kinds: readonly ReceiptKind[];
  readonly codes?: Uint8Array;
  readonly messageIds: readonly string[];
  /** An index into `messageIds` per person; absent where all have the first. */
  readonly messages?: Uint8Array;
  /** `device-ids.ts`. */
  readonly devices: Uint8Array;
  /** Absent where no provider returned an id; empty text for a row without one. */
  readonly providerIds?: readonly string[];
  readonly spilled: readonly SpilledRow[];
}
