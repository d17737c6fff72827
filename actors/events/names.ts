// Which event names a client may send, and which count as activity. The service's own names
// (receipts, journey lifecycle) are refused, so that a tenant's page cannot forge a delivery.
// Matching is exact. Source: spec "Segment" and "Events"; contract, section 10.

/** UTF-16 code units. */
export const nameCharsMax = 128;

/** Names that only the service records, beside all that start with `journey_`. */
export const serviceNames = [
  'sent',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'deferred',
  'unsubscribed',
] as const;

/** Names with a meaning of their own that clients send. */
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

export function isServiceName(name: string): boolean {
  return serviceNameSet.has(name) || name.startsWith(servicePrefix);
}

/**
 * Whether the person did it: custom events, opens, clicks, dismissals, beacons, logins (`session`);
 * not what was done to them (sent, delivered, bounced, journey rows).
 */
export function countsAsActivity(name: string): boolean {
  return !isServiceName(name);
}

/** The only name that no filter can use: these events are in history alone. */
export const deferral = 'deferred';

/** Whether its person becomes a monthly active user: activity, and a delivered message. */
export function countsInMonth(name: string): boolean {
  return name === 'delivered' || countsAsActivity(name);
}

/** The end of a sentence (`name: …`), or `undefined` for a valid name. */
export function clientNameProblem(name: string): string | undefined {
  if (name.length === 0 || name.length > nameCharsMax) {
    return `expected 1 to ${nameCharsMax} characters`;
  }
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  if (/\p{Surrogate}/u.test(name)) return 'expected valid Unicode';
  if (isServiceName(name)) return `"${name}" is recorded by the service and cannot be sent`;
  return undefined;
}

// By first byte, so that one look-up clears the common name.
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
 * Whether the valid UTF-8 in `bytes[start, end)`, free of bytes below 0x20, is surely a client's
 * name. If false, `clientNameProblem` decides (128 characters may take more bytes).
 */
export function isPlainClientName(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 0 || length > nameCharsMax) return false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x7f) return false;
    // The control characters U+0080 to U+009F are C2 80 to C2 9F.
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
