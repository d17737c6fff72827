// Transactional sends: content, devices and results. One row per send by time-ordered id, written
// at accept and each outcome, kept for the app's retention.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A provider call that another was to follow. */
export interface SendTryRow {
  readonly atMs: Millis;
  /** From 1; repeats if the provider only asked for a pause. */
  readonly attempt: number;
  /** Asked for a pause, refused for now, or gave no response and may have accepted. */
  readonly answer: 'pause' | 'none' | 'not_now';
  /** Reason and provider text in one. */
  readonly said?: string;
  /** What the relay that it left by was called then. */
  readonly relayName?: string;
}

/** One device's receipt; its newest decides the send's status. */
export interface SendOutcomeRow {
  readonly deviceId: string;
  readonly channel: string;
  /** `accepted`: by a relay that reports later. */
  readonly status: 'accepted' | 'delivered' | 'bounced' | 'failed' | 'suppressed';
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  /** By which relay it left, or which tells it, and what that was called then. */
  readonly relay?: string;
  readonly relayName?: string;
  readonly atMs: Millis;
  readonly attempts: number;
  /** Of an email: how many copies its call had; absent for none. */
  readonly copies?: number;
  /** Earlier calls that led to it, oldest first; absent if none. */
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
  /** Rendered: a plain form, and one for email if an email device is targeted. */
  readonly content: object;
  readonly targets: readonly SendTargetRow[];
  /** Oldest first. */
  readonly outcomes: readonly SendOutcomeRow[];
  readonly deadLettersOpen: number;
  readonly deadLettersRecovered: number;
  /** A trial send: receipts say so, and no funnel counts them. */
  readonly test?: true;
  /** The template that its content began as. */
  readonly templateId?: string;
  /** Asks the owner of an address for the confirmation: only it goes to an unconfirmed device. */
  readonly optIn?: true;
}

/** Key: [16 bytes of the send id]. */
export const sends = defineTable<SendRow>()({
  id: 13,
  name: 'sends',
  version: 4,
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
    'templateId',
    'optIn',
  ],
});

/** A send to one device that failed after all retries, open until a redrive succeeds. */
export interface DeadLetterRow {
  readonly id: string;
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: string;
  readonly lane: 'transactional' | 'campaign' | 'journey';
  readonly reason: string;
  readonly attempts: number;
  readonly atMs: Millis;
  readonly recoveredMs?: Millis;
  readonly redrivenMs?: Millis;
  /** The provider's last text. */
  readonly detail?: string;
  readonly subscriberId?: string;
  /** A marketing send's source of content (`Origin` of the transactional area). */
  readonly origin?: object;
  /** Of a test: no figure counts it. Absent in letters of earlier builds. */
  readonly test?: true;
}

/** Key: [dead letter id, `dl_…`]. */
export const deadLetters = defineTable<DeadLetterRow>()({
  id: 14,
  name: 'dead letters',
  version: 3,
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
    'test',
  ],
});
