// Providers as witnesses of the time: notes when the `Date` of an answer agrees with this clock.
// Only providers at the operator's addresses, over TLS, count. A tenant or a browser chooses the
// others, and could vouch for a wrong clock; stand-ins share this machine's clock.

import { type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import type { SharedInstant } from '../../../engine/thread/shared-word.ts';
import type { Outbound, OutboundCall, OutboundResult } from './outbound-call.ts';

/** How far a provider's clock may be off. */
const agreesMs: Millis = minuteMs;
/** Most calls are not looked at. */
const everyMs: Millis = 10 * secondMs;

/** The client, with its providers as witnesses. */
export function withWitnesses(
  outbound: Outbound,
  agreed: SharedInstant,
  now: () => Millis,
): Outbound {
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = (result: OutboundResult): OutboundResult => {
    const date = result.kind === 'answered' ? result.headers['date'] : undefined;
    const nowMs = now();
    if (typeof date === 'string' && Math.abs(Date.parse(date) - nowMs) <= agreesMs)
      agreed.set(nowMs);
    return result;
  };
  return {
    allowPrivateNetworks: outbound.allowPrivateNetworks,
    call(call) {
      const nowMs = now();
      if (Math.abs(nowMs - lookedMs) < everyMs || !isWitness(call)) return outbound.call(call);
      lookedMs = nowMs;
      return outbound.call(call).then(look);
    },
    close: (graceMs) => outbound.close(graceMs),
  };
}

function isWitness({ destination, url }: Pick<OutboundCall, 'destination' | 'url'>): boolean {
  if (destination !== 'trusted' || !url.startsWith('https://')) return false;
  return !/^https:\/\/(localhost|127\.|\[::1\])/i.test(url);
}
