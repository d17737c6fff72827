// Refuses a URL that the product would later refuse to call. Only the scheme, the port and a
// literal address can be checked when it is saved; names are checked again at each connection
// (actors/channels/outbound/network-guard.ts).

import { judgeUrl, type RefusedReason } from '../../../actors/channels/outbound/network-guard.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { CallConfig } from '../call-edge.ts';

const words: Readonly<Record<RefusedReason, string>> = {
  invalid_url: 'expected an absolute URL',
  scheme_not_allowed: 'expected an https URL',
  port_not_allowed: 'expected port 443 or 8443',
  userinfo_not_allowed: 'expected a URL without username or password',
  private_address: 'expected a public address',
};

/** Throws a fault of `field`. */
export function refuseUncallable(
  field: string,
  url: string,
  { mode, allowPrivateNetworks }: Pick<CallConfig, 'mode' | 'allowPrivateNetworks'>,
): void {
  const verdict = judgeUrl(url, mode === 'sandbox' || allowPrivateNetworks);
  if ('refused' in verdict) throw new FaultError(fieldFault(field, words[verdict.refused]));
}
