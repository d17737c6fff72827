// Which event names a client may send, and which of all names count as a person's activity. The
// service's own names (receipts, journey lifecycle) are refused from outside, so that a tenant's
// page can never forge a delivery. Matching is exact: `Delivered` is a custom name. Source: spec
// "Segment" and "Events"; contract, section 10.

/** Characters (UTF-16 code units) a name may have, at most. */
export const nameCharsMax = 128;

/**
 * Names that only the service records. Every name that starts with `journey_` is one of them too.
 */
export const serviceNames = [
  'sent',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'deferred',
  'unsubscribed',
] as const;

/**
 * Names with a meaning of their own that clients do send: receipts seen on the device, sessions,
 * beacons.
 */
export const beaconNames = [
  'opened',
  'clicked',
  'dismissed',
  'session',
  'inapp_viewed',
  'inapp_clicked',
  'inapp_dismissed',
  'inbox_read',
] as const;

const servicePrefix = 'journey_';
const serviceNameSet: ReadonlySet<string> = new Set(serviceNames);

/** Whether only the service may record events of this name. */
export function isServiceName(name: string): boolean {
  return serviceNameSet.has(name) || name.startsWith(servicePrefix);
}

/**
 * Whether an event of this name is something the person did: any custom event, an open, click or
 * dismissal, an in-app or inbox beacon, or a login (`session`). What was done to them (sent,
 * delivered, bounced, journey rows) is not.
 */
export function countsAsActivity(name: string): boolean {
  return !isServiceName(name);
}

/** The one name of events that no filter can ask about: they are in history alone. */
export const deferral = 'deferred';

/**
 * Whether an event of this name makes its person a monthly active user: what they did, and a
 * delivered message. Wider than activity by that one receipt; what failed to reach them, and that
 * they opted out, is not billed.
 */
export function countsInMonth(name: string): boolean {
  return name === 'delivered' || countsAsActivity(name);
}

/**
 * What is wrong with a name that a client sent, as the end of a sentence (`name: …`); `undefined`
 * if nothing is.
 */
export function clientNameProblem(name: string): string | undefined {
  if (name.length === 0 || name.length > nameCharsMax) {
    return `expected 1 to ${nameCharsMax} characters`;
  }
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  if (/\p{Surrogate}/u.test(name)) return 'expected valid Unicode';
  if (isServiceName(name)) return `"${name}" is recorded by the service and cannot be sent`;
  return undefined;
}

// By first byte, so that the common name is cleared by one look-up.
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
 * Whether the valid UTF-8 in `bytes[start, end)`, free of bytes below 0x20, is surely a name that a
 * client may send. `false` may be over-careful (a name of more than 128 bytes can have fewer
 * characters): `clientNameProblem` is the judge.
 */
export function isPlainClientName(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 0 || length > nameCharsMax) return false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x7f) return false;
    // U+0080 to U+009F, the upper control characters, are C2 80 to C2 9F.
    if (byte === 0xc2 && (bytes[i + 1] as number) < 0xa0) return false;
  }
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
