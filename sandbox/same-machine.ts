// Keeps web pages of strangers away from the inbox and the control routes: a page anywhere may send
// requests to 127.0.0.1, and by rebinding its own name read the answers. Stand-ins are not guarded;
// nothing there can be read back.

import { isIP } from 'node:net';

/**
 * Whether a request to the inbox or a control route comes from where it should. `Host` must be an
 * IP address, `localhost` or a name below it (rebinding needs a real name), and `Origin`, which
 * browsers add across origins and to every POST, must be the same host.
 */
export function isFromHere(host: string | undefined, origin: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const isHere = isIP(bare) !== 0 || bare === 'localhost' || bare.endsWith('.localhost');
  return isHere && (origin === undefined || origin === `http://${host}`);
}

/** Whether an address to bind is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
