// Which addresses a tenant may make this service call. Pure: it judges a URL and it judges an IP
// address; the one caller that connects is outbound.ts. Easily got wrong: judging the name is not
// enough. A name is judged again as the addresses it resolves to, at the moment of connecting,
// because DNS may answer differently the second time.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A URL that may be called so far, or the rule it breaks (a snake_case word for receipts and
 * ledgers).
 */
type UrlVerdict = { readonly url: URL } | { readonly refused: RefusedReason };

export type RefusedReason =
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'port_not_allowed'
  | 'userinfo_not_allowed'
  | 'private_address';

const portsAllowed: ReadonlySet<string> = new Set(['', '443', '8443']);

/** Public by registry, but answered by the cloud the machine stands in: Azure's wire server. */
const cloudInternal: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Judges an address that a tenant, a browser or an SDK gave: https, port 443 or 8443, no user or
 * password, at most 2,048 characters, and no literal of a private network. Names pass; they are
 * judged again when they resolve. `allowPrivateNetworks` (development) leaves only: http or https,
 * no user or password.
 */
export function judgeUrl(raw: string, allowPrivateNetworks: boolean): UrlVerdict {
  if (raw.length > 2048 || !URL.canParse(raw)) return { refused: 'invalid_url' };
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '') return { refused: 'userinfo_not_allowed' };
  if (allowPrivateNetworks) {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return { refused: 'scheme_not_allowed' };
    return { url };
  }
  if (url.protocol !== 'https:') return { refused: 'scheme_not_allowed' };
  if (!portsAllowed.has(url.port)) return { refused: 'port_not_allowed' };
  const literal = literalOf(url);
  if (literal !== undefined && !isPublicAddress(literal)) return { refused: 'private_address' };
  // `localhost` and its like never leave the machine, whatever a resolver says (RFC 6761).
  if (/(^|\.)(localhost|local|internal)\.?$/.test(url.hostname))
    return { refused: 'private_address' };
  return { url };
}

/** The IP address that a URL names outright, without brackets; `undefined` for a name. */
function literalOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Whether this IP address is a public unicast one. IPv4 addresses inside IPv6 ones (`::ffff:…`) are
 * judged as themselves; every translated, tunnelled, documentation, shared and reserved range is
 * refused, and of IPv6 only `2000::/3` is public at all. Source: the IANA special-purpose
 * registries, by way of ipaddr.js.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads the short and octal forms, which nobody but an attacker writes; and zones
  // are never public.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return !cloudInternal.has(parsed.toString());
  const first = parsed.toByteArray()[0] ?? 0;
  return first >> 5 === 1;
}
