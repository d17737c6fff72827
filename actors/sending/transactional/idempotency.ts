// The idempotency keys in use, and their sends. The entry that queues a send claims its key, so a
// refused call claims nothing. Kept 24 hours, never dropped early; time that no clock confirmed
// does not count.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Ages } from '../../../engine/actor/message.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import {
  ExpiringMap,
  type ExpiringMapSnapshot,
  idempotencyKeptMs,
} from '../../../engine/base/expiring-map.ts';
import type { Words4 } from '../../../engine/base/words.ts';
import { limits } from '../../limits.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';

/**
 * The keys of all apps of a partition: a key's hash includes its app. Tenants share the room by
 * their slots, which the ids of their sends carry.
 */
export class IdempotencyKeys {
  #map: ExpiringMap;

  /** `capacity`: the most keys at once. */
  constructor(capacity: number = limits.idempotencyKeysMax) {
    this.#map = new ExpiringMap(capacity, slotOf);
  }

  /** As of the latest claim. */
  get count(): number {
    return this.#map.count;
  }

  /** Whether the owner can claim no key at `nowMs` after `more` others of its own. */
  isFull(owner: Ordinal, nowMs: Millis, ages: Ages, more = 0): boolean {
    const cutMs = ages.cutMs(nowMs, idempotencyKeptMs);
    return (
      this.#map.isShareFull(slotOf(owner), more, cutMs) || this.#map.isFull(nowMs, more, cutMs)
    );
  }

  /** The words of the key's send, `conflict` for another body, `undefined` for a free key. */
  find(claim: IdempotencyClaim, nowMs: Millis, ages: Ages): Words4 | 'conflict' | undefined {
    const known = this.#map.get(claim.key, nowMs, ages.cutMs(nowMs, idempotencyKeptMs));
    if (known === undefined) return undefined;
    const [high, low] = claim.fingerprint;
    return known.fingerprint[0] === high && known.fingerprint[1] === low ? known.value : 'conflict';
  }

  /** `send`: the words of its id. */
  claim({ key, fingerprint }: IdempotencyClaim, send: Words4, atMs: Millis, ages: Ages): void {
    this.#map.put(key, fingerprint, send, atMs, ages.cutMs(atMs, idempotencyKeptMs));
  }

  rebase(to: Rebase): void {
    this.#map.rebase(to.toMs, (atMs) => to.stamp(atMs));
  }

  snapshot(): unknown {
    return this.#map.snapshot();
  }

  static restore(snapshot: unknown): IdempotencyKeys {
    const keys = new IdempotencyKeys();
    keys.#map = ExpiringMap.restore(snapshot as ExpiringMapSnapshot, slotOf);
    return keys;
  }
}
