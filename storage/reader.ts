// Reads a partition from another thread beside its writer. Each call reads the newest commit and
// releases it, since a held snapshot blocks page reuse; two calls may see two commits. Open it in
// the writer's process, after the writer.

import '../engine/base/plain-msgpack.ts';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { KeyRange, PartitionStore, StoredRow } from '../engine/actor/store.ts';
import type { Bytes, Seq } from '../engine/base/brand.ts';
import { mapBytes, partitionPath } from './environment.ts';
import { readEpoch } from './meta.ts';
import { newestSeq, oldestSeq, type Rows, readBlocks, readRows, type StoredBlock } from './rows.ts';

export type PartitionReads = Pick<
  PartitionStore,
  'epoch' | 'durableSeq' | 'oldestSeq' | 'get' | 'range' | 'blocks'
>;

interface ReaderOptions {
  readonly dataDir: string;
  readonly partition: number;
  /** The writer's, if not the default. */
  readonly mapBytes?: Bytes;
}

export class PartitionReader implements PartitionReads {
  readonly epoch: number;
  readonly path: string;
  readonly #root: RootDatabase<Buffer, Uint8Array>;
  readonly #log: Rows;
  readonly #documents: Rows;

  constructor(options: ReaderOptions) {
    this.path = partitionPath(options.dataDir, options.partition);
    const root = open<Buffer, Uint8Array>({
      path: this.path,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      readOnly: true,
      mapSize: options.mapBytes ?? mapBytes,
      maxDbs: 4,
    });
    const opened = (name: string): Database<Buffer, Uint8Array> =>
      root.openDB<Buffer, Uint8Array>(name, { encoding: 'binary', keyEncoding: 'binary' });
    this.#root = root;
    this.#log = opened('log');
    this.#documents = opened('documents');
    const meta = opened('meta');
    this.epoch = this.#newest(() => readEpoch(meta, this.path));
  }

  /** 0 without commits. */
  get durableSeq(): Seq {
    return this.#newest(() => newestSeq(this.#log) ?? 0);
  }

  get oldestSeq(): Seq {
    return this.#newest(() => oldestSeq(this.#log) ?? 1);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#newest(() => this.#documents.getBinary(key));
  }

  range(range: KeyRange): StoredRow[] {
    return this.#newest(() => readRows(this.#documents, range));
  }

  /** The writer may drop blocks between calls: compare the result with `from`. */
  blocks(from: Seq, limit: number): StoredBlock[] {
    return this.#newest(() => {
      const first = Math.max(from, oldestSeq(this.#log) ?? 1);
      return readBlocks(this.#log, first, newestSeq(this.#log) ?? 0, limit, this.path);
    });
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  /** Reads in a snapshot of the newest commit, released afterwards. */
  #newest<Result>(read: () => Result): Result {
    try {
      return read();
    } finally {
      this.#root.resetReadTxn();
    }
  }
}
