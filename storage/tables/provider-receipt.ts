// A provider's callbacks about one send to one device, folded, so that repeats in any order change
// nothing. Exists only after callbacks, and no longer than its send.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface ProviderReceiptRow {
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: string;
  readonly person: PersonOrdinal;
  readonly arrived: boolean;
  readonly read: boolean;
  /** When the provider says it was read. */
  readonly readMs?: Millis;
  /** Reasons: `failed` (not the address's fault), `optedOut` (its owner), `dead` (the address). */
  readonly failed?: string;
  readonly optedOut?: string;
  readonly dead?: string;
  /** Set if it came before its call's response: how often that was looked up since. */
  readonly looks?: number;
  /** What the opt-out covers, if not everything. */
  readonly complained?: true | 'marketing';
  /** A relay that reports what becomes of it has it. */
  readonly accepted?: true;
  /** The first time that the recipient's server asked the relay to wait. */
  readonly deferred?: { readonly atMs: Millis; readonly detail?: string };
  /** Its reader left marketing at the relay. */
  readonly unsubscribed?: true;
  /** What the relay that told first was called then. */
  readonly relayName?: string;
}

/** Key: [16 bytes of the send id, device id]. */
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
    'accepted',
    'deferred',
    'relayName',
    'unsubscribed',
  ],
});
