// What callbacks about a device omit: the send of a provider's message id, a send's journey,
// reports before the id was known, unreachable counts. One row per device with the newest few, so
// the table grows with devices, not sends.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface KeptSend {
  readonly sendId: string;
  /** The provider's name for it, if callbacks name nothing else. */
  readonly name?: string;
  readonly journeyId?: string;
  /** When a marketing send failed (its dead letter's key), and whether it arrived since. */
  readonly failedMs?: Millis;
  readonly isLanded?: true;
}

/** A report under a name without a send so far. */
export interface EarlyReport {
  readonly channel: string;
  /** As the provider has it. */
  readonly address: string;
  readonly name: string;
  /** `DeliveryReport` of the callbacks area. */
  readonly news: object;
}

/** Soft bounces in a row, with no delivery in between. */
export interface SoftBounces {
  readonly count: number;
  readonly sinceMs: Millis;
  readonly lastMs: Millis;
  /** Until when the address rested because of them. */
  readonly restedUntilMs?: Millis;
}

export interface DeviceSendRow {
  /** Oldest first, like the others. */
  readonly sends: readonly KeptSend[];
  readonly early: readonly EarlyReport[];
  /** Look-ups of `early` without a match. */
  readonly looks: number;
  /** Sends that did not reach the handset, each once. */
  readonly unreached: readonly { readonly sendId: string; readonly atMs: Millis }[];
  readonly soft?: SoftBounces;
}

/** Key: [device id]. */
export const deviceSends = defineTable<DeviceSendRow>()({
  id: 40,
  name: 'device sends',
  version: 1,
  fields: ['sends', 'early', 'looks', 'unreached', 'soft'],
});
