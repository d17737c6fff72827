// Seals what destinations are called with again, under the newest master key.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { type Sealer, webhookPlace } from '../../sealer.ts';
import { type DestinationRecord, legacyNumber } from './destination.ts';
import type { WebhooksEntry } from './protocol.ts';

interface Destinations {
  readonly destinations: ReadonlyMap<number, { readonly record: DestinationRecord }>;
}

export function* sealedDestinations({ destinations }: Destinations): Generator<Uint8Array> {
  for (const { record } of destinations.values())
    if (record.number !== legacyNumber) yield record.sealed;
}

/** Throws a `SealError` if one cannot be opened. */
export function rewrapDestinations(
  { destinations }: Destinations,
  owner: Ordinal,
  sealer: Sealer,
  rng: Rng,
): WebhooksEntry[] {
  const entries: WebhooksEntry[] = [];
  for (const { record } of destinations.values()) {
    if (record.number === legacyNumber || !sealer.needsRewrap(record.sealed)) continue;
    const place = webhookPlace(owner, record.number);
    const sealed = sealer.seal(sealer.open(record.sealed, place), place, rng);
    entries.push({ kind: 'webhook.saved', owner, destination: { ...record, sealed } });
  }
  return entries;
}
