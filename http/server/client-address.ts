// The client's address behind proxies, and its rate-limit key. Every proxy appends the address it
// saw to `x-forwarded-for`, so only the last `trustedProxies` entries are true. The client wrote
// the others and must not choose its own bucket.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpRequest } from './exchange.ts';

/**
 * The address behind `trustedProxies` proxies (0: the peer). A shorter list gives its first entry;
 * an invalid entry the last valid one after it, or the peer's address.
 */
export function clientAddress(
  request: Pick<HttpRequest, 'header' | 'remoteAddress'>,
  trustedProxies: number,
): string {
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

/** An IPv4 address, or the /64 of an IPv6 one: a household has all of it (`address-budget.ts`). */
export function rateKey(address: string): string {
  if (!address.includes(':')) return address;
  if (isIP(address) !== 6) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/** IPv4-mapped IPv6 becomes IPv4, zones are dropped. Invalid text stays unchanged. */
export function normalAddress(text: string): string {
  const version = isIP(text);
  if (version !== 6) return text;
  const zone = text.indexOf('%');
  return ipaddr.process(zone < 0 ? text : text.slice(0, zone)).toString();
}

/** The same from 4 or 16 bytes; `''` for any other length. */
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
