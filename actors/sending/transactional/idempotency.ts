// Which idempotency keys are taken, and by which send. A key is claimed by the entry that queues
// its send, so a refused call has claimed nothing. Kept 24 hours, never dropped early.

import type { Millis } from '../../../engine/base/brand.ts';
import { ExpiringMap, type ExpiringMapSnapshot } from '../../../engine/base/expiring-map.ts';
import type { Words4 } from '../../../engine/base/words.ts';
import { limits } from '../../limits.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';
import { sendOfRef } from './send-key.ts';

/** The keys of one partition, of all its apps: an app is part of what a key hashes. */
export class IdempotencyKeys {
  #map: ExpiringMap;

  /** `capacity`: the most keys that are remembered at once. */
  constructor(capacity: number = limits.idempotencyKeysMax) {
    this.#map = new ExpiringMap(capacity);
  }

  /** Keys remembered, as of the latest claim. */
  get count(): number {
    return this.#map.count;
  }

  /** Whether a free key cannot be claimed at `nowMs`, once `more` others have been. */
  isFull(nowMs: Millis, more = 0): boolean {
    return this.#map.isFull(nowMs, more);
  }

  /**
   * The words of the send that has this key, `conflict` for another body, `undefined` for a free
   * key.
   */
  find(claim: IdempotencyClaim, nowMs: Millis): Words4 | 'conflict' | undefined {
    const known = this.#map.get(claim.key, nowMs);
    if (known === undefined) return undefined;
    const [high, low] = claim.fingerprint;
    return known.fingerprint[0] === high && known.fingerprint[1] === low ? known.value : 'conflict';
  }

  /** `send`: the words of its id. */
  claim({ key, fingerprint }: IdempotencyClaim, send: Words4, atMs: Millis): void {
    this.#map.put(key, fingerprint, send, atMs);
  }

  snapshot(): unknown {
    return this.#map.snapshot();
  }

  static restore(snapshot: unknown): IdempotencyKeys {
    const keys = new IdempotencyKeys();
    keys.#map = ExpiringMap.restore(snapshot as ExpiringMapSnapshot);
    return keys;
  }
}

/** The send id of remembered words. */
export function formatSendWords(words: Words4): string {
  return sendOfRef(words);
}
