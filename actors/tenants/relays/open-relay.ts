// Opens a relay's configuration. What cannot be decrypted is `undefined`, not a throw: the next
// relay takes its messages.

import type { Millis } from '../../../engine/base/brand.ts';
import { SealError } from '../../../storage/sealed.ts';
import type { OpenRelay, RelayConfig } from '../../channels/port/open-relay.ts';
import { relayPlace, type Sealer } from '../../sealer.ts';
import { type RelayRecord, reportsNow } from './records.ts';

/** Opened configurations by relay and fingerprint. Never write it anywhere. */
type Opened = Pick<Map<string, unknown>, 'get' | 'set' | 'size' | 'clear'>;

const cachedMax = 1_000;

export function openRelay(
  relay: RelayRecord,
  sealer: Sealer,
  nowMs: Millis,
  cache?: Opened,
): OpenRelay | undefined {
  const { id, kind, fingerprint, perSecond, perDay } = relay;
  const key = `relay|${id}|${fingerprint}`;
  const known = cache?.get(key) as RelayConfig | undefined;
  const config = known ?? configOf(relay, sealer);
  if (config === undefined) return undefined;
  if (known === undefined && cache !== undefined) {
    if (cache.size >= cachedMax) cache.clear();
    cache.set(key, config);
  }
  return {
    ...{ id, kind, config, fingerprint },
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(perDay === undefined ? {} : { perDay }),
    ...(reportsNow(relay, nowMs) ? { reports: true } : {}),
  };
}

function configOf({ sealed, owner, id }: RelayRecord, sealer: Sealer): RelayConfig | undefined {
  try {
    return JSON.parse(sealer.open(sealed, relayPlace(owner, id))) as RelayConfig;
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
