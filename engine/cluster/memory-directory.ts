// The directory's twin in memory, for tests and the simulator: one `MemoryBucket` for all
// processes, and a `MemoryDirectory` for each, whose calls a test delays, drops, repeats or cuts.

import type { Network } from '../log/memory-log.ts';
import type {
  Directory,
  DirectoryKey,
  DirectoryUpdate,
  DirectoryValue,
  Revision,
} from './directory.ts';

export class MemoryBucket {
  readonly #values = new Map<DirectoryKey, DirectoryValue>();
  readonly #watchers = new Set<() => void>();
  #newest: Revision = 0;

  readAll(): ReadonlyMap<DirectoryKey, DirectoryValue> {
    return new Map(this.#values);
  }

  update(key: DirectoryKey, value: Uint8Array, revision: Revision): DirectoryUpdate {
    if ((this.#values.get(key)?.revision ?? 0) !== revision) return { state: 'refused' };
    this.#values.set(key, { value: Buffer.from(value), revision: ++this.#newest });
    for (const changed of this.#watchers) changed();
    return { state: 'updated', revision: this.#newest };
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** For tests: what a restore, or a mistake, did. */
  lose(): void {
    this.#values.clear();
  }
}

const atOnce: Network = async (call) => call();

export class MemoryDirectory implements Directory {
  readonly #bucket: MemoryBucket;
  readonly #carry: Network;
  readonly #watches = new Set<() => void>();

  constructor(bucket: MemoryBucket, carry: Network = atOnce) {
    this.#bucket = bucket;
    this.#carry = carry;
  }

  readAll(): Promise<ReadonlyMap<DirectoryKey, DirectoryValue> | undefined> {
    return this.#carry(() => this.#bucket.readAll());
  }

  async update(key: DirectoryKey, value: Uint8Array, revision: Revision): Promise<DirectoryUpdate> {
    const answer = await this.#carry(() => this.#bucket.update(key, value, revision));
    return answer ?? { state: 'unknown', reason: 'timeout' };
  }

  watch(changed: () => void): { close(): void } {
    const end = this.#bucket.watch(changed);
    this.#watches.add(end);
    return { close: end };
  }

  async close(): Promise<void> {
    for (const end of this.#watches) end();
  }
}
