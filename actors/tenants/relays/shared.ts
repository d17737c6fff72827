// What an org learns of the relays that its agency shares.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { RelaysEntry } from './protocol.ts';
import { isSameRelays, type RelayRecord } from './records.ts';

/** None if it knows them. */
export function sharedEntries(
  owner: Ordinal,
  known: readonly RelayRecord[],
  relays: readonly RelayRecord[],
): readonly RelaysEntry[] {
  return isSameRelays(known, relays) ? [] : [{ kind: 'relays.shared', owner, relays }];
}
