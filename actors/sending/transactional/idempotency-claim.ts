// The hashes that stand for an idempotency key and for the request it was used with. What a reader
// would get wrong: the edge makes those of a single send, but a recipient's key holds the person's
// own id, which only their actor knows. Source: contract, section 7.

import { hash } from 'node:crypto';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';

/** The key of a call and the fingerprint of its body; both hashed by the edge. */
export interface IdempotencyClaim {
  /**
   * 128 bits of SHA-256 over app, route and key. Words, because bytes cost ten times as much to
   * cross a thread.
   */
  readonly key: Words4;
  /** 64 bits of SHA-256 over the canonical request. */
  readonly fingerprint: Words2;
}

/** 128 bits for a key; keys of different apps and areas are different keys. */
export function keyWords(app: Ordinal, area: string, key: string): Words4 {
  const hex = digest(`${app}|${area}|${key}`);
  return [word(hex, 0), word(hex, 1), word(hex, 2), word(hex, 3)];
}

/** 64 bits for a request in its canonical form. */
export function fingerprintWords(canonical: string): Words2 {
  const hex = digest(canonical);
  return [word(hex, 0), word(hex, 1)];
}

/** The key of a recipient that has none of its own. */
export function recipientKey(batchKey: string, subscriberId: string): string {
  return `${batchKey}#${subscriberId}`;
}

/**
 * The claim of one recipient. Whom a request is for belongs to it, too, under whichever of their
 * names: a key that is used again for somebody else is a conflict. An odd factor takes different
 * people to different words.
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

/** In hexadecimal, which is made twice as fast as a Buffer. */
function digest(text: string): string {
  return hash('sha256', text);
}

function word(hex: string, index: number): number {
  return Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16);
}
