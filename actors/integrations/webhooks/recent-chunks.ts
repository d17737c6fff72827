// Chunks that a dispatch thread has read lately. One is granted in parts, and to several
// destinations; reading it anew each time was a sixth of a call's processor time.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { ChunkName } from './delivery-id.ts';
import { decodeChunk, type StoredEvent } from './event-chunk.ts';

/** About 200 KB each. */
const chunksMax = 32;

interface ReadChunk {
  readonly bytes: Uint8Array;
  readonly events: readonly StoredEvent[];
}

export class RecentChunks {
  readonly #chunks = new Map<string, ReadChunk>();

  /** Reads it anew if its bytes are others: erasure takes people out of chunks. */
  eventsOf(app: Ordinal, { atMs, chunk }: ChunkName, bytes: Uint8Array): readonly StoredEvent[] {
    const name = `${app}|${atMs}|${chunk}`;
    const known = this.#chunks.get(name);
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.events;
    const events = decodeChunk(app, bytes);
    this.#chunks.delete(name);
    this.#chunks.set(name, { bytes, events });
    if (this.#chunks.size > chunksMax) {
      const [oldest] = this.#chunks.keys();
      if (oldest !== undefined) this.#chunks.delete(oldest);
    }
    return events;
  }
}
