// Hashes of an idempotency key and of its request. The edge makes those of a single send; a
// recipient's key holds the person's id, which only the actor knows. Source: contract, section 7.

import { hash } from 'node:crypto';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';

export interface IdempotencyClaim {
  /**
   * 128 bits of SHA-256 over app, route and key. Words: bytes cost ten times as much to send to a
   * thread.
   */
  readonly key: Words4;
  /** 64 bits of SHA-256 over the canonical request. */
  readonly fingerprint: Words2;
}

export function keyWords(app: Ordinal, area: string, key: string): Words4 {
  const hex = digest(`${app}|${area}|${key}`);
  return [word(hex, 0), word(hex, 1), word(hex, 2), word(hex, 3)];
}

export function fingerprintWords(canonical: string): Words2 {
  const hex = digest(canonical);
  return [word(hex, 0), word(hex, 1)];
}

export function recipientKey(batchKey: string, subscriberId: string): string {
  return `${batchKey}#${subscriberId}`;
}

/**
 * The person is part of the fingerprint: using a key again for another person is a conflict. The
 * odd factor maps different people to different words.
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

/** Hexadecimal: twice as fast as a Buffer. */
function digest(text: string): string {
  return hash('sha256', text);
}

function word(hex: string, index: number): number {
  return Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16);
}
