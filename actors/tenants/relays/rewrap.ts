// Seals relays again after a rotation of the master key.

import type { Rng } from '../../../engine/base/rng.ts';
import { relayPlace, type Sealer } from '../../sealer.ts';
import type { RelaysEntry } from './protocol.ts';
import type { RelayRecord } from './records.ts';

/** Throws `SealError` if one cannot be opened. */
export function rewrapRelays(
  relays: Iterable<RelayRecord>,
  sealer: Sealer,
  rng: Rng,
): readonly RelaysEntry[] {
  const entries: RelaysEntry[] = [];
  for (const relay of relays) {
    if (!sealer.needsRewrap(relay.sealed)) continue;
    const { owner, id } = relay;
    const place = relayPlace(owner, id);
    const sealed = sealer.seal(sealer.open(relay.sealed, place), place, rng);
    entries.push({ kind: 'relay.saved', owner, relay: { ...relay, sealed } });
  }
  return entries;
}
