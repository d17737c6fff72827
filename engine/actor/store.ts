// The runtime's port for durable turns: `storage/` fills it with LMDB and a memory twin.

import type { Seq } from '../base/brand.ts';

/** `undefined` removes the document. */
export interface DocumentChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A turn's log block and documents, written atomically. */
export interface TurnWrite {
  /** One more than the previous turn. */
  readonly seq: Seq;
  readonly block: Uint8Array;
  readonly documents: readonly DocumentChange[];
  /** Kinds of entries and timers that the partition has not noted yet; absent for none. */
  readonly kinds?: readonly string[];
  /** Where a log that machines share has it (`engine/log/place.ts`); absent without one. */
  readonly place?: Uint8Array;
}

export interface StoredRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Document keys from `start` (included) to `end` (excluded). */
export interface KeyRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** One partition at rest, written by exactly one thread. */
export interface PartitionStore {
  /** Raised by a restore, to distinguish sends before and after it. */
  readonly epoch: number;
  /** The newest durable seq; 0 for a new partition. */
  readonly durableSeq: Seq;
  /** Seq of the oldest kept block; `durableSeq + 1` if none. */
  readonly oldestSeq: Seq;
  /** What its entries have used, as far as it was noted (`storage/kinds.ts`). */
  readonly kinds?: ReadonlySet<string>;
  /** The newest durable value, never one in flight. The caller owns the bytes. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Lends the bytes to `use` only, without a copy. False if absent. */
  lend?(key: Uint8Array, use: (value: Uint8Array) => void): boolean;
  /** Durable rows in key order, at the newest commit; at most 10,000 per call. */
  range(range: KeyRange): StoredRow[];
  /**
   * Writes the turn and calls `durable` once it survives a power cut, in order. A commit that fails
   * or takes over ten seconds ends the process through `onFatal`, without `durable`: only a restart
   * can read its outcome. The block's bytes are lent until `stored` and overwritten afterwards:
   * this store's reads see the turn then, just before `durable`, or later where a log has it first.
   */
  commit(turn: TurnWrite, durable: () => void, stored?: () => void): void;
  /** Log blocks from `from` on, oldest first, at most `limit`. */
  blocks(from: Seq, limit: number): { readonly seq: Seq; readonly block: Uint8Array }[];
  /** Removes up to `limit` blocks up to `through`, never the newest; returns how many remain. */
  dropBlocks(through: Seq, limit: number): Promise<number>;
  close(): Promise<void>;
}
