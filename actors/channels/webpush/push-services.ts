// Which addresses are those of a browser's push service. A subscription comes from a browser, that
// is from anybody, so an address is held to this list when it is registered and again before it is
// called; networks are judged beside it (actors/channels/outbound/network-guard.ts). A new
// browser's service has to be added here before its subscriptions are taken.

import { judgeUrl } from '../outbound/network-guard.ts';

/** Chrome and its kin, Firefox, Safari, and Edge of old. */
const hosts =
  /^(fcm\.googleapis\.com|([a-z0-9-]+\.)*push\.services\.mozilla\.com|web\.push\.apple\.com|([a-z0-9-]+\.)*notify\.windows\.com)$/;

/**
 * Whether a host, in the lower case that `URL` gives it, is a push service. Looks at the name only,
 * never at DNS.
 */
export function isPushServiceHost(host: string): boolean {
  return hosts.test(host);
}

/**
 * Whether an address could be called in live mode: https, an allowed port, and the host of a push
 * service.
 */
export function isPushServiceAddress(address: string): boolean {
  const judged = judgeUrl(address, false);
  return 'url' in judged && isPushServiceHost(judged.url.hostname);
}
