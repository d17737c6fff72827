// Checks a write key by hash in constant time. A replaced key stays valid for a day for requests in
// flight; removing the integration ends both at once.

import { timingSafeEqual } from 'node:crypto';
import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { WriteKeys } from './protocol.ts';

/** Source: contract, section 3. */
const previousKeyMs: Millis = dayMs;

const nobodys = new Uint8Array(32);

/** Takes as long for an app without a key. */
export function isWriteKey(
  keys: WriteKeys | null,
  secretHash: Uint8Array,
  { nowMs, ages }: Pick<Context, 'nowMs' | 'ages'>,
): boolean {
  const isCurrent = sameHash(keys?.secretHash ?? nobodys, secretHash);
  const isPrevious = sameHash(keys?.previous?.secretHash ?? nobodys, secretHash);
  if (keys === null) return false;
  if (isCurrent || !isPrevious || keys.previous === null) return isCurrent;
  return keys.previous.untilMs - previousKeyMs > ages.cutMs(nowMs, previousKeyMs);
}

/** After `secretHash` becomes the current key. The settings stay. */
export function replaceKey(
  keys: WriteKeys | null,
  secretHash: Uint8Array,
  nowMs: Millis,
): WriteKeys {
  return {
    ...keys,
    secretHash,
    previous:
      keys === null ? null : { secretHash: keys.secretHash, untilMs: nowMs + previousKeyMs },
    createdMs: keys?.createdMs ?? nowMs,
    updatedMs: nowMs,
  };
}

/** The keys after the clock was set right: a replaced one stays valid for its day, no longer. */
export function rebasedKeys(keys: WriteKeys, to: Rebase): WriteKeys {
  const { previous } = keys;
  if (previous === null) return keys;
  const untilMs = to.stamp(previous.untilMs - previousKeyMs) + previousKeyMs;
  return { ...keys, previous: { ...previous, untilMs } };
}

function sameHash(known: Uint8Array, given: Uint8Array): boolean {
  return known.length === given.length && timingSafeEqual(known, given);
}
