// Hashes of an idempotency key and of its request. The edge makes those of a single send; a
// recipient's key holds the person's id, which only the actor knows. Source: contract, section 7.

import { hash } from 'node:crypto';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';

export interface IdempotencyClaim {
  /** 128 bits of SHA-256 over app, route and key. Words are ten times as fast to post as bytes. */
  readonly key: Words4;
  /** 64 bits of SHA-256 over the canonical request. */
  readonly fingerprint: Words2;
}

export function keyWords(app: Ordinal, area: string, key: string): Words4 {
  const bytes = digest(`${app}|${area}|${key}`);
  return [word(bytes, 0), word(bytes, 4), word(bytes, 8), word(bytes, 12)];
}

export function fingerprintWords(canonical: string): Words2 {
  const bytes = digest(canonical);
  return [word(bytes, 0), word(bytes, 4)];
}

export function recipientKey(batchKey: string, subscriberId: string): string {
  return `${batchKey}#${subscriberId}`;
}

/**
 * Includes the person: the same key for another person is a conflict. The factor is odd, so
 * different people give different words.
 */
export function recipientClaim(
  app: Ordinal,
  key: string,
  [high, low]: Words2,
  person: PersonOrdinal,
): IdempotencyClaim {
  const mixed = (low ^ Math.imul(person, 0x9e3779b1)) >>> 0;
  return { key: keyWords(app, 'notifications/batch', key), fingerprint: [high, mixed] };
}

/** A character for each byte: no Buffer to make, and no hexadecimal to parse. */
function digest(text: string): string {
  return hash('sha256', text, 'binary');
}

function word(bytes: string, at: number): number {
  const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
  const low = (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
  return ((high << 16) | low) >>> 0;
}
