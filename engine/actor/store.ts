// The port through which the runtime makes a turn durable. `storage/` fills it with LMDB and with a
// memory twin.

import type { Seq } from '../base/brand.ts';

/** One document after the turn; `undefined` removes it. */
export interface DocumentChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** What one turn writes: a log block, and the documents beside it, atomically. */
export interface TurnWrite {
  /** One more than the turn before it. */
  readonly seq: Seq;
  readonly block: Uint8Array;
  readonly documents: readonly DocumentChange[];
}

export interface StoredRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Bounds of a scan over document keys: from `start` (included) to `end` (excluded). */
export interface KeyRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** One partition's data at rest. Opened for writing by exactly one thread. */
export interface PartitionStore {
  /** Raised by a restore, to distinguish what was sent before it from what comes after. */
  readonly epoch: number;
  /** The newest durable seq; 0 for a new partition. */
  readonly durableSeq: Seq;
  /** The seq of the oldest block still kept; `durableSeq + 1` when there is none. */
  readonly oldestSeq: Seq;
  /**
   * The newest durable value. Never sees writes that are still in flight. The bytes are the
   * caller's to keep.
   */
  get(key: Uint8Array): Uint8Array | undefined;
  /**
   * The same for callers that copy at once, if the store can: the bytes are lent to `use` and
   * invalid afterwards. False for none.
   */
  lend?(key: Uint8Array, use: (value: Uint8Array) => void): boolean;
  /**
   * Durable rows in key order, as of the newest commit. Short scans only: at most 10,000 rows a
   * call.
   */
  range(range: KeyRange): StoredRow[];
  /**
   * Writes the turn and calls `durable` once it would survive a power cut. Turns become durable in
   * the order given. A commit that fails, or does not settle within ten seconds, ends the process
   * through `onFatal`: its outcome is unknown, and only a restart can read it. `durable` is then
   * never called. The block's bytes are lent until then and overwritten afterwards.
   */
  commit(turn: TurnWrite, durable: () => void): void;
  /** Log blocks from `from` on, oldest first, at most `limit`. */
  blocks(from: Seq, limit: number): { readonly seq: Seq; readonly block: Uint8Array }[];
  /**
   * Removes blocks up to and including `through`, at most `limit` per call; returns how many are
   * left to remove. The newest block always stays, because the next turn follows it.
   */
  dropBlocks(through: Seq, limit: number): Promise<number>;
  close(): Promise<void>;
}
