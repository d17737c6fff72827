// What callbacks about a device need and do not say: which of our sends a provider's message id
// means, and which journey a send was of; also reports that came before we had the id, and how
// often the device was unreachable. One row per device with the newest few of each, so that the
// table grows with devices, not with sends.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A send to the device. */
export interface KeptSend {
  readonly sendId: string;
  /** The provider's own name for it, where its callbacks name nothing else. */
  readonly name?: string;
  readonly journeyId?: string;
  /**
   * When a marketing send failed, which is the place of its dead letter; and whether it was
   * reported as delivered since.
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
