// What a check is asked and what it tells: between the process that wants to know and the child
// that reads the files.

import type { Bytes, Millis, Seq } from '../../../engine/base/brand.ts';

/**
 * How much is checked. `records`: every log block and document by its checksum, the log without
 * gaps, checkpoints and history by theirs; for a fresh backup. `all`: memory too, folded from every
 * start there is and compared, and every index against its records.
 */
export type CheckLevel = 'records' | 'all';

/** What to check: partitions of a data directory or of a backup. */
export interface CheckJob {
  readonly dataDir: string;
  readonly partitions: readonly number[];
  readonly level: CheckLevel;
}

/** One partition as it was found. */
export interface PartitionReport {
  readonly partition: number;
  readonly epoch: number;
  readonly oldestSeq: Seq;
  readonly newestSeq: Seq;
  readonly blocks: number;
  readonly entries: number;
  readonly documents: number;
  /** Documents by table, in the order of the tables' numbers. */
  readonly tables: readonly (readonly [table: string, count: number])[];
  readonly checkpoints: number;
  readonly historyFiles: number;
  /** Of the memory; 0 at level `records`. */
  readonly apps: number;
  readonly people: number;
  /**
   * How many ways memory was built and found the same: from the first block, from each checkpoint.
   */
  readonly folds: number;
  /** The newest instant that a block names; 0 in an empty log. */
  readonly newestMs: Millis;
  /** Of `data.mdb`. */
  readonly bytes: Bytes;
  readonly durMs: Millis;
  /** The first few, as sentences. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

/**
 * What the child says, in this order for each partition: progress any number of times, then a
 * report.
 */
export type CheckEvent =
  | { readonly kind: 'progress'; readonly partition: number; readonly what: string }
  | { readonly kind: 'report'; readonly report: PartitionReport }
  | { readonly kind: 'failed'; readonly partition: number; readonly problem: string };
