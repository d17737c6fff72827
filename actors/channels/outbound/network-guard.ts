// Which addresses a tenant may make this service call. Pure: it checks URLs and IPs; only
// outbound.ts connects. A name is not enough, because DNS may change its answer, so its addresses
// are checked again when connecting.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The parsed URL, or the rule that it breaks (a snake_case code for receipts). */
type UrlVerdict = { readonly url: URL } | { readonly refused: RefusedReason };

export type RefusedReason =
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'port_not_allowed'
  | 'userinfo_not_allowed'
  | 'private_address';

const portsAllowed: ReadonlySet<string> = new Set(['', '443', '8443']);

/** Public by registry, but served by the machine's own cloud: Azure's wire server. */
const cloudInternal: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Checks an address from a tenant, a browser or an SDK: https, port 443 or 8443, no user or
 * password, at most 2,048 characters, no literal private address. Names pass and are checked when
 * they resolve. `allowPrivateNetworks` (development) only requires http or https without user or
 * password.
 */
export function judgeUrl(raw: string, allowPrivateNetworks: boolean): UrlVerdict {
  if (raw.length > 2048 || !URL.canParse(raw)) return { refused: 'invalid_url' };
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '') return { refused: 'userinfo_not_allowed' };
  if (allowPrivateNetworks) {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return { refused: 'scheme_not_allowed' };
    return isHost(url.hostname) ? { url } : { refused: 'invalid_url' };
  }
  if (url.protocol !== 'https:') return { refused: 'scheme_not_allowed' };
  if (!portsAllowed.has(url.port)) return { refused: 'port_not_allowed' };
  if (!isHost(url.hostname)) return { refused: 'invalid_url' };
  const literal = literalOf(url);
  if (literal !== undefined && !isPublicAddress(literal)) return { refused: 'private_address' };
  if (isOwnName(url.hostname)) return { refused: 'private_address' };
  return { url };
}

/** Where servers take mail for others. */
const mailPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

/**
 * The same for a mail server that a tenant names: what is wrong with it, if anything. Names pass
 * and are checked when they resolve.
 */
export function judgeMailHost(
  host: string,
  port: number,
  allowPrivateNetworks: boolean,
): RefusedReason | undefined {
  const name = host.toLowerCase();
  if (isIP(name) === 0 && !isHost(name)) return 'invalid_url';
  if (allowPrivateNetworks) return undefined;
  if (!mailPorts.has(port)) return 'port_not_allowed';
  if (isIP(name) !== 0 && !isPublicAddress(name)) return 'private_address';
  return isOwnName(name) ? 'private_address' : undefined;
}

/** `localhost` and the like never leave the machine, whatever DNS says (RFC 6761). */
function isOwnName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal)\.?$/.test(hostname);
}

/**
 * A literal address, or a name that DNS can have, with the `_` of some clouds: not `*`, and no `;`
 * or `,`, which would end a directive where a page's policy names the host.
 */
export function isHost(hostname: string): boolean {
  if (/^\[[\da-f:.]+\]$/.test(hostname)) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => hostLabel.test(label));
}

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A URL's literal IP address without brackets; `undefined` for a name. */
function literalOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Whether this is a public unicast IP address. IPv4 inside IPv6 (`::ffff:…`) counts as IPv4.
 * Refuses translated, tunneled, documentation, shared and reserved ranges; of IPv6 only `2000::/3`
 * is public. Source: the IANA special-purpose registries, through ipaddr.js.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads short and octal forms, which only attackers use; zones are never public.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return !cloudInternal.has(parsed.toString());
  const first = parsed.toByteArray()[0] ?? 0;
  return first >> 5 === 1;
}
