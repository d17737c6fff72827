// Whether a write key is an app's, by its hash and in constant time. A key that was replaced stays
// good for a day, so that it can be changed without losing what senders have under way; taking the
// integration away ends both at once.

import { timingSafeEqual } from 'node:crypto';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { WriteKeys } from './protocol.ts';

/** For how long a replaced key goes on. Source: contract, section 3. */
const previousKeyMs: Millis = dayMs;

const nobodys = new Uint8Array(32);

/**
 * Whether the hash (SHA-256, 32 bytes) is that of a key which is good now. Takes as long for an app
 * without a key.
 */
export function isWriteKey(keys: WriteKeys | null, secretHash: Uint8Array, nowMs: Millis): boolean {
  const isCurrent = sameHash(keys?.secretHash ?? nobodys, secretHash);
  const isPrevious = sameHash(keys?.previous?.secretHash ?? nobodys, secretHash);
  if (keys === null) return false;
  return isCurrent || (isPrevious && keys.previous !== null && nowMs < keys.previous.untilMs);
}

/** The keys after `secretHash` has become the current one. */
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
