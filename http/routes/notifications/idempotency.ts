// Turns a call's idempotency key and body into the two hashes that are kept for 24 hours. The fingerprint is of the body
// as it was sent, not of what a schema made of it, so that an upgrade between a call and its retry changes nothing.
// Source: contract, section 7.

import { createHash } from 'node:crypto';
import { limits } from '../../../actors/limits.ts';
import type { IdempotencyClaim } from '../../../actors/transactional/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';

const keyMember = 'idempotencyKey';

/**
 * The claim of a call, or `null` when it has no key. `header` is empty when it was not sent. Header and body may both
 * carry the key if it is the same one; anything else is a fault on `idempotencyKey`.
 */
export function claimOf(
  app: Ordinal,
  area: string,
  header: string,
  sent: Readonly<Record<string, unknown>>,
): IdempotencyClaim | null {
  const key = chooseKey(header, sent[keyMember]);
  if (key === undefined) return null;
  const { [keyMember]: _key, ...request } = sent;
  return {
    key: digest(`${app}|${area}|${key}`, 16),
    fingerprint: digest(canonicalJson(request), 8),
  };
}

/** JSON with members in one order at every level: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

function chooseKey(header: string, member: unknown): string | undefined {
  if (typeof member !== 'string') return header === '' ? undefined : checked(header);
  if (header !== '' && header !== member) {
    throw new FaultError(fieldFault(keyMember, 'differs from the Idempotency-Key header'));
  }
  return checked(member);
}

function checked(key: string): string {
  const bytes = Buffer.byteLength(key);
  if (bytes < 1 || bytes > limits.idempotencyKeyBytesMax) {
    throw new FaultError(
      fieldFault(keyMember, `expected 1 to ${limits.idempotencyKeyBytesMax} bytes`),
    );
  }
  if (/\p{Cc}/u.test(key)) {
    throw new FaultError(fieldFault(keyMember, 'must not hold control characters'));
  }
  return key;
}

function digest(text: string, bytes: number): Uint8Array {
  // A copy: a slice would carry its whole pool across the thread.
  return new Uint8Array(createHash('sha256').update(text).digest().subarray(0, bytes));
}
