// Keeps foreign web pages away from the inbox and the control routes: any page may send requests to
// 127.0.0.1, and read the responses by rebinding its own name. Stand-ins are not guarded; nothing
// can be read back from them.

import { isIP } from 'node:net';

/**
 * Whether a request to the inbox or a control route comes from an allowed origin. `Host` must be an
 * IP address, `localhost` or a name below it (rebinding needs a real name). `Origin`, which
 * browsers add across origins and to every POST, must be the same host.
 */
export function isFromHere(host: string | undefined, origin: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const isHere = isIP(bare) !== 0 || bare === 'localhost' || bare.endsWith('.localhost');
  return isHere && (origin === undefined || origin === `http://${host}`);
}

/** Whether an address to bind is on this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
