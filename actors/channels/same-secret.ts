// Compares a secret from a caller with the expected one.

import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares hashes of equal length in constant time, so that timing does not even reveal the length.
 */
export function isSameSecret(wanted: string, given: string): boolean {
  const [a, b] = [wanted, given].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
