// Which idempotency keys are taken, and by which send. A key is claimed by the entry that queues its send, so a
// refused call has claimed nothing. Kept 24 hours, never dropped early.

import type { Millis } from '../../engine/base/brand.ts';
import {
  ExpiringMap,
  type ExpiringMapSnapshot,
  type Words2,
  type Words4,
} from '../../engine/base/expiring-map.ts';
import type { IdParts } from '../../engine/base/id.ts';
import { limits } from '../limits.ts';
import type { IdempotencyClaim } from './protocol.ts';
import { sendOfRef } from './send-key.ts';

/** The keys of one partition, of all its apps: an app is part of what a key hashes. */
export class IdempotencyKeys {
  #map = new ExpiringMap(limits.idempotencyKeysMax);

  get count(): number {
    return this.#map.count;
  }

  get full(): boolean {
    return this.#map.full;
  }

  /** The words of the send that has this key, `conflict` for another body, `undefined` for a free key. */
  find(claim: IdempotencyClaim, nowMs: Millis): Words4 | 'conflict' | undefined {
    const known = this.#map.get(words4(claim.key), nowMs);
    if (known === undefined) return undefined;
    const [high, low] = words2(claim.fingerprint);
    return known.fingerprint[0] === high && known.fingerprint[1] === low ? known.value : 'conflict';
  }

  claim(claim: IdempotencyClaim, send: IdParts, atMs: Millis): void {
    const value: Words4 = [
      send.ordinal,
      Math.floor(send.atMs / 65536) >>> 0,
      (((send.atMs % 65536) << 16) | send.high16) >>> 0,
      send.low32,
    ];
    this.#map.put(words4(claim.key), words2(claim.fingerprint), value, atMs);
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

function words4(bytes: Uint8Array): Words4 {
  return [word(bytes, 0), word(bytes, 4), word(bytes, 8), word(bytes, 12)];
}

function words2(bytes: Uint8Array): Words2 {
  return [word(bytes, 0), word(bytes, 4)];
}

function word(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [
    number,
    number,
    number,
    number,
  ];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}
