// Whose request this is, by address: behind proxies, and as a key for rate limits. Every proxy
// appends the address it saw to `x-forwarded-for`, so only the last `trustedProxies` entries are
// true; whatever stands before them was written by the client and must not move its bucket.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpRequest } from './exchange.ts';

/**
 * The client's address behind `trustedProxies` proxies (0: the peer itself). A shorter list than
 * that gives its first entry; an entry that is no address gives the last good one on the way to it,
 * in the end the peer's.
 */
export function clientAddress(request: HttpRequest, trustedProxies: number): string {
  let address = request.remoteAddress;
  if (trustedProxies <= 0) return address;
  const list = request.header('x-forwarded-for');
  let end = list.length;
  for (let hop = 0; hop < trustedProxies && end > 0; hop++) {
    const comma = list.lastIndexOf(',', end - 1);
    const entry = addressOf(list.slice(comma + 1, end).trim());
    if (entry === undefined) return address;
    address = entry;
    end = comma;
  }
  return address;
}

/**
 * What a limit per client counts by: an IPv4 address, or the /64 of an IPv6 one, since a household
 * has all of it.
 */
export function rateKey(address: string): string {
  if (!address.includes(':')) return address;
  if (isIP(address) !== 6) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * An address as text in its one normal form: IPv4-mapped IPv6 becomes IPv4, zones go; what is no
 * address comes back as it is.
 */
export function normalAddress(text: string): string {
  const version = isIP(text);
  if (version !== 6) return text;
  const zone = text.indexOf('%');
  return ipaddr.process(zone < 0 ? text : text.slice(0, zone)).toString();
}

/** The same from the 4 or 16 bytes of an address; `''` from any other number of bytes. */
export function addressFromBytes(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
  if (bytes.length !== 16) return '';
  const address = new ipaddr.IPv6([...bytes]);
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toString();
}

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
function addressOf(entry: string): string | undefined {
  const bracketed = entry.startsWith('[') ? entry.slice(1, Math.max(1, entry.indexOf(']'))) : entry;
  const colon = bracketed.indexOf(':');
  const bare =
    colon > 0 && bracketed.indexOf(':', colon + 1) < 0 ? bracketed.slice(0, colon) : bracketed;
  return isIP(bare) === 0 ? undefined : normalAddress(bare);
}
