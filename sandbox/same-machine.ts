// Keeps foreign pages away from inbox and control routes: any page may request 127.0.0.1 and read
// responses by DNS rebinding. Stand-ins are unguarded: nothing can be read back from them.

import { isIP } from 'node:net';

/**
 * Whether inbox or control may answer. `Host` must be an IP address, `localhost` or below it
 * (rebinding needs a real name). `Origin`, which browsers add across origins and to POST, must be
 * the same host.
 */
export function isFromHere(host: string | undefined, origin: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const isHere = isIP(bare) !== 0 || bare === 'localhost' || bare.endsWith('.localhost');
  return isHere && (origin === undefined || origin === `http://${host}`);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
