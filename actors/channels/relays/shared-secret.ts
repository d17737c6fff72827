// A secret that a service shows with each call: as a bearer token or as the password of the address.
// It proves who calls, and nothing about the body: TLS must protect that.

import { isSameSecret } from '../port/same-secret.ts';
import type { RelayCall } from './relay.ts';

/** Whether `Authorization` has the secret; the user of basic credentials may be any. */
export function showsSecret({ headers }: Pick<RelayCall, 'headers'>, secret: string): boolean {
  const header = headers['authorization'] ?? '';
  const [, scheme = '', value = ''] = /^(Basic|Bearer) +(\S{1,2048})$/i.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return isSameSecret(secret, value);
  if (scheme === '') return false;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon >= 0 && isSameSecret(secret, text.slice(colon + 1));
}
