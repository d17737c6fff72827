// What a provider's callbacks said of one send to one device, folded together: what makes the
// second telling of the same thing, in whatever order, change nothing. Only of what callbacks came
// for, and no longer than its send.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface ProviderReceiptRow {
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: string;
  readonly person: PersonOrdinal;
  readonly arrived: boolean;
  readonly read: boolean;
  /** When the provider says that it was read. */
  readonly readMs?: Millis;
  /**
   * Why it did not arrive after all: reasons that say nothing of the address, that its owner opted
   * out, that it is dead.
   */
  readonly failed?: string;
  readonly optedOut?: string;
  readonly dead?: string;
  /** It came before the answer to the call it tells of; how often that was looked for since. */
  readonly looks?: number;
  readonly complained?: true;
}

/** Key: [the 16 bytes of the send id, device id]. */
export const providerReceipts = defineTable<ProviderReceiptRow>()({
  id: 24,
  name: 'provider receipts',
  version: 1,
  fields: [
    'sendId',
    'deviceId',
    'channel',
    'person',
    'arrived',
    'read',
    'readMs',
    'failed',
    'optedOut',
    'dead',
    'looks',
    'complained',
  ],
});
