// Which contact (RFC 8292, `sub`) the push services refuse: Apple answers 403 BadJwtToken to one
// that no mail and no page can reach, and that 403 stops the web push of the app.

import { isIP } from 'node:net';
import { isPublicAddress } from '../outbound/network-guard.ts';

/** Names that no public DNS has. Source: IANA, Special-Use Domain Names; `.internal` by ICANN. */
const unreachable =
  /(?:^|\.)(?:localhost|localdomain|local|invalid|internal|intranet|lan|home|home\.arpa)$/;

/** Why a `mailto:` or `https:` contact is refused, as the end of a sentence. */
export function contactProblem(contact: string): string | undefined {
  const host = hostOf(contact);
  if (host === undefined || host === '') return 'a contact without a host';
  // No name ends in digits; `127.1` is an address to some programs.
  if (isIP(host) !== 0 || /(?:^|\.)\d+$/.test(host))
    return isPublicAddress(host) ? undefined : 'a contact at a private address or on this machine';
  if (/(?:^|\.)localhost(?:\.localdomain)?$/.test(host)) return 'a contact on this machine';
  return unreachable.test(host) || !host.includes('.')
    ? `a contact at ${host}, which only a private network can have`
    : undefined;
}

/** In lower case, without brackets and a dot at its end. */
function hostOf(contact: string): string | undefined {
  const mail = /^mailto:[^?]*@([^@?]*)/i.exec(contact)?.[1];
  if (mail === undefined && !URL.canParse(contact)) return undefined;
  const host = mail ?? new URL(contact).hostname;
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[(?:ipv6:)?(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
