// Fetches what the proof of an event needs: certificates and confirmations. The reader of a kind
// has checked the address against its service's own host; the operator's address replaces that host
// here, so that no tenant can name another.

import type { Outbound } from '../outbound/outbound-call.ts';
import type { ProviderConfig } from '../port/provider-config.ts';
import type { RelayCall } from '../port/relay-events.ts';

/** `urls`: the operator's provider addresses. */
export function serviceFetch(
  outbound: Outbound,
  urls: ProviderConfig['urls'],
): RelayCall['fetchText'] {
  return async (url) => {
    const replaced = urls.SES === undefined ? undefined : snsAddress(url, urls.SES);
    const result = await outbound.call({
      method: 'GET',
      url: replaced ?? url,
      destination: replaced === undefined ? 'guarded' : 'trusted',
      timeoutMs: 5_000,
    });
    const isWhole = result.kind === 'answered' && result.status === 200 && result.complete;
    return isWhole ? result.body : undefined;
  };
}

/** `https://sns.<region>.amazonaws.com/…` below the operator's address of SES. */
function snsAddress(url: string, ses: string): string | undefined {
  const [, region, path] =
    /^https:\/\/sns\.([a-z\d-]{1,40})\.amazonaws\.com(?:\.cn)?(\/.*)$/.exec(url) ?? [];
  return region === undefined ? undefined : `${ses}/sns/${region}${path}`;
}
