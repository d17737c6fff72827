// Compares a caller's secret with the expected one.

import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares hashes in constant time, so that timing does not even reveal the length. */
export function isSameSecret(wanted: string, given: string): boolean {
  const [a, b] = [wanted, given].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
