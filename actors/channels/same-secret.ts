// Compares what a caller gave with what only its provider could know.

import { createHash, timingSafeEqual } from 'node:crypto';

/** Over hashes of equal length, so that the time says nothing, not even how long the secret is. */
export function isSameSecret(wanted: string, given: string): boolean {
  const [a, b] = [wanted, given].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
