// Checks a write key by hash in constant time. A replaced key stays valid for a day for requests in
// flight; removing the integration ends both at once.

import { timingSafeEqual } from 'node:crypto';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { WriteKeys } from './protocol.ts';

/** Source: contract, section 3. */
const previousKeyMs: Millis = dayMs;

const nobodys = new Uint8Array(32);

/** Takes as long for an app without a key. */
export function isWriteKey(keys: WriteKeys | null, secretHash: Uint8Array, nowMs: Millis): boolean {
  const isCurrent = sameHash(keys?.secretHash ?? nobodys, secretHash);
  const isPrevious = sameHash(keys?.previous?.secretHash ?? nobodys, secretHash);
  if (keys === null) return false;
  return isCurrent || (isPrevious && keys.previous !== null && nowMs < keys.previous.untilMs);
}

/** After `secretHash` becomes the current key. */
export function replaceKey(
  keys: WriteKeys | null,
  secretHash: Uint8Array,
  nowMs: Millis,
): WriteKeys {
  return {
    secretHash,
    previous:
      keys === null ? null : { secretHash: keys.secretHash, untilMs: nowMs + previousKeyMs },
    createdMs: keys?.createdMs ?? nowMs,
    updatedMs: nowMs,
  };
}

function sameHash(known: Uint8Array, given: Uint8Array): boolean {
  return known.length === given.length && timingSafeEqual(known, given);
}
