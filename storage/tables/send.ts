// Transactional sends: what was rendered, for which devices, and what came of it. One row a send,
// by time-ordered id, written at accept and at each outcome, kept for the app's retention.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A call to a provider after which another was to follow. */
export interface SendTryRow {
  readonly atMs: Millis;
  /** 1 for the first call; two have one number where the provider only asked for a pause. */
  readonly attempt: number;
  /**
   * The provider asked for a pause, did not accept the call for now, or may have accepted it but
   * gave no response.
   */
  readonly answer: 'pause' | 'none' | 'not_now';
  /** The reason and the provider's words, as one text. */
  readonly said?: string;
}

/** A receipt of one device; the newest of a device decides the send's status. */
export interface SendOutcomeRow {
  readonly deviceId: string;
  readonly channel: string;
  readonly status: 'delivered' | 'bounced' | 'failed' | 'suppressed';
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  readonly atMs: Millis;
  readonly attempts: number;
  /** The calls before the one that led to it, oldest first; absent where there was none. */
  readonly tries?: readonly SendTryRow[];
}

interface SendTargetRow {
  readonly deviceId: string;
  readonly channel: string;
}

export interface SendRow {
  readonly id: string;
  readonly person: PersonOrdinal;
  readonly acceptedMs: Millis;
  /** The rendered message: a plain form, and one for email where an email device is targeted. */
  readonly content: object;
  readonly targets: readonly SendTargetRow[];
  /** Oldest first. */
  readonly outcomes: readonly SendOutcomeRow[];
  readonly deadLettersOpen: number;
  readonly deadLettersRecovered: number;
  /** Made to try a message out: its receipts say so, and no funnel counts them. */
  readonly test?: true;
}

/** Key: [the 16 bytes of the send id]. */
export const sends = defineTable<SendRow>()({
  id: 13,
  name: 'sends',
  version: 2,
  fields: [
    'id',
    'person',
    'acceptedMs',
    'content',
    'targets',
    'outcomes',
    'deadLettersOpen',
    'deadLettersRecovered',
    'test',
  ],
});

/** A send to one device that failed after every retry, open until a redrive lands it. */
export interface DeadLetterRow {
  readonly id: string;
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: string;
  readonly lane: 'transactional' | 'campaign' | 'journey';
  readonly reason: string;
  readonly attempts: number;
  readonly atMs: Millis;
  /** When a redrive landed it. */
  readonly recoveredMs?: Millis;
  readonly redrivenMs?: Millis;
  /** What the provider said last. */
  readonly detail?: string;
  readonly subscriberId?: string;
  /** Of a marketing send: where its words come from (`Origin` of the transactional area). */
  readonly origin?: object;
}

/** Key: [dead letter id, `dl_…`]. */
export const deadLetters = defineTable<DeadLetterRow>()({
  id: 14,
  name: 'dead letters',
  version: 2,
  fields: [
    'id',
    'sendId',
    'deviceId',
    'channel',
    'lane',
    'reason',
    'attempts',
    'atMs',
    'recoveredMs',
    'redrivenMs',
    'detail',
    'subscriberId',
    'origin',
  ],
});
