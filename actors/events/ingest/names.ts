// Event names that clients may send, and which count as activity. Refuses the service's own names
// (receipts, journey lifecycle), so that a tenant's page cannot forge a delivery. Exact matches.
// Source: spec "Segment" and "Events"; contract, section 10.

import { isNfc } from '../../../engine/base/nfc.ts';

/** UTF-16 code units. */
export const nameCharsMax = 128;

/** Recorded only by the service, like all that start with `journey_`. */
const serviceNames = [
  'sent',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'deferred',
  'unsubscribed',
  'preferences_changed',
  'opt_in_confirmed',
] as const;

/** Client names with a special meaning. */
export const beaconNames = [
  'opened',
  'clicked',
  'dismissed',
  'session',
  'inapp_viewed',
  'inapp_clicked',
  'inapp_dismissed',
  'inbox_read',
  'inbox_archived',
] as const;

const servicePrefix = 'journey_';
const serviceNameSet: ReadonlySet<string> = new Set(serviceNames);
const messageEvents: ReadonlySet<string> = new Set(beaconNames.filter((one) => one !== 'session'));

export function isServiceName(name: string): boolean {
  return serviceNameSet.has(name) || name.startsWith(servicePrefix);
}

export const eventOrigins = ['app', 'engage'] as const;
export type EventOrigin = (typeof eventOrigins)[number];

/** `engage`: about Engage's own messages and journeys. A `session` is the app's. */
export function originOfEvent(name: string): EventOrigin {
  return isServiceName(name) || messageEvents.has(name) ? 'engage' : 'app';
}

/** Whether the person did it (custom, opens, a confirmation …), not receipts or journeys. */
export function countsAsActivity(name: string): boolean {
  return name === 'opt_in_confirmed' || !isServiceName(name);
}

/** The only name unusable in filters: these events are in history alone. */
export const deferral = 'deferred';

/**
 * Whether it makes a monthly active user: activity, or a delivery. Where a relay reports, its
 * acceptance, `sent`, counts in place of the delivery, whose month may be a later one.
 */
export function countsInMonth(name: string): boolean {
  return name === 'delivered' || name === 'sent' || countsAsActivity(name);
}

/** A sentence's end (`name: …`), or `undefined` if valid. */
export function clientNameProblem(name: string): string | undefined {
  if (name.length === 0 || name.length > nameCharsMax) {
    return `expected 1 to ${nameCharsMax} characters`;
  }
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  if (/\p{Surrogate}/u.test(name)) return 'expected valid Unicode';
  if (isServiceName(name)) return `"${name}" is recorded by the service and cannot be sent`;
  return undefined;
}

// By first byte, so that one look-up passes the common name.
const serviceBytes: (Uint8Array[] | undefined)[] = [];
for (const name of serviceNames) {
  const bytes = Buffer.from(name);
  const first = bytes[0] as number;
  const sharing = serviceBytes[first] ?? [];
  serviceBytes[first] = sharing;
  sharing.push(bytes);
}
const prefixBytes = Buffer.from(servicePrefix);

/**
 * Whether the UTF-8 in `bytes[start, end)` (valid, no byte below 0x20) is surely a client's name in
 * NFC. If false, `clientNameProblem` decides: 128 characters may take more bytes.
 */
export function isPlainClientName(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 0 || length > nameCharsMax) return false;
  let mayCombine = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x7f) continue;
    if (byte === 0x7f) return false;
    // U+0300 is CC 80. Nothing below it combines with what stands before.
    if (byte >= 0xcc) mayCombine = true;
    // U+0080 to U+009F are C2 80 to C2 9F.
    if (byte === 0xc2 && (bytes[i + 1] as number) < 0xa0) return false;
  }
  if (mayCombine && !isNfc(bytes, start, end)) return false;
  if (length >= prefixBytes.length && startsWith(bytes, start, prefixBytes)) return false;
  const candidates = serviceBytes[bytes[start] as number];
  if (candidates === undefined) return true;
  for (const candidate of candidates) {
    if (candidate.length === length && startsWith(bytes, start, candidate)) return false;
  }
  return true;
}

function startsWith(bytes: Uint8Array, start: number, prefix: Uint8Array): boolean {
  for (let i = 0; i < prefix.length; i++) {
    if (bytes[start + i] !== prefix[i]) return false;
  }
  return true;
}
