// Reads calls of mail services: the code of a service loads with its first call. A service's proof
// may need a certificate or a confirmation, which are fetched from public addresses alone.

import type { RelayConfig, RelayKindName } from '../../actors/channels/port/open-relay.ts';
import type { ProviderConfig } from '../../actors/channels/port/provider-config.ts';
import type { RelayCall } from '../../actors/channels/port/relay-events.ts';
import { relayServices } from '../../actors/channels/relays/services.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { CallEdge } from '../call/call-edge.ts';

type ReadRelayCall = NonNullable<CallEdge['readRelayCall']>;

/** `urls`: the operator's provider addresses; in sandbox mode the stand-ins'. */
export function relayCalls(
  clock: Clock,
  allowPrivateNetworks: boolean,
  urls: ProviderConfig['urls'],
): ReadRelayCall {
  const fetchText = (url: string) => fetched(url, allowPrivateNetworks, urls);
  return async (kind, config, { body, header, query }) => {
    const load = relayServices[kind as RelayKindName]?.readEvents;
    if (load === undefined) return undefined;
    const readEvents = await load();
    const call: RelayCall = { body, headers: byName(header), query, nowMs: clock.now(), fetchText };
    return readEvents(call, config as RelayConfig);
  };
}

/** Headers are looked up one by one: a server copies only those that are asked for. */
function byName(header: (name: string) => string | undefined): RelayCall['headers'] {
  return new Proxy({} as RelayCall['headers'], {
    get: (_none, name) => (typeof name === 'string' ? header(name) : undefined),
  });
}

/** Calls are rare, so no connection is kept. */
async function fetched(
  url: string,
  allowPrivateNetworks: boolean,
  urls: ProviderConfig['urls'],
): Promise<string | undefined> {
  const { createOutbound } = await import('../../actors/channels/outbound/outbound.ts');
  const { serviceFetch } = await import('../../actors/channels/relays/proof-fetch.ts');
  const outbound = createOutbound({ allowPrivateNetworks });
  try {
    return await serviceFetch(outbound, urls)(url);
  } finally {
    await outbound.close(0);
  }
}
