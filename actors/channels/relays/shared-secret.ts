// A secret that a service shows with each call: as a bearer token, or as the password of the
// address. It proves who calls, and nothing about the body: TLS must protect that. So the only age
// of a call is that of its event.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { RelayCall } from '../port/relay-events.ts';
import { isSameSecret } from '../port/same-secret.ts';

/** Services repeat a call for two days at most. */
const eventAgeMsMax: Millis = 3 * dayMs;

/** Whether an event may be told now; one without a time may. */
export function isRecentEvent(atMs: Millis | undefined, nowMs: Millis): boolean {
  return atMs === undefined || Math.abs(nowMs - atMs) <= eventAgeMsMax;
}

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
