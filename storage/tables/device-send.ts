// What providers' callbacks about a device need and say nothing of: which of our sends a provider's
// own name for a message means, and which journey a send was of; further what was told of a name
// before we had it, and how often the device was out of reach. One row a device, with the newest
// few of each, so that a million sends leave no more than their devices do.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A send to the device. */
export interface KeptSend {
  readonly sendId: string;
  /** The provider's own name for it, where its callbacks name nothing else. */
  readonly name?: string;
  readonly journeyId?: string;
  /**
   * When a marketing send failed, which is where its dead letter lies; and whether it was told of
   * as landed since.
   */
  readonly failedMs?: Millis;
  readonly isLanded?: true;
}

/** What a provider reported under a name that no send has yet. */
export interface EarlyNews {
  readonly channel: string;
  /** The device's, as the provider has it. */
  readonly address: string;
  readonly name: string;
  /** `News` of the callbacks area. */
  readonly news: object;
}

export interface DeviceSendRow {
  /** Oldest first, as are the others. */
  readonly sends: readonly KeptSend[];
  readonly early: readonly EarlyNews[];
  /** How often `early` was looked at in vain. */
  readonly looks: number;
  /** Sends that found the handset out of reach, each once. */
  readonly unreached: readonly { readonly sendId: string; readonly atMs: Millis }[];
}

/** Key: [device id]. */
export const deviceSends = defineTable<DeviceSendRow>()({
  id: 40,
  name: 'device sends',
  version: 1,
  fields: ['sends', 'early', 'looks', 'unreached'],
});
