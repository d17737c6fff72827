// Messages between the process that asks for a check and the child that reads the files.

import type { Bytes, Millis, Seq } from '../../../engine/base/brand.ts';

/** `records`: all checksums, and a log without gaps. `all`: also memory and indexes. */
type CheckLevel = 'records' | 'all';

/** `dataDir`: a data directory or a backup. */
export interface CheckJob {
  readonly dataDir: string;
  readonly partitions: readonly number[];
  readonly level: CheckLevel;
}

/** The active people of the running month, of all apps. */
export interface ActivePeople {
  readonly month: string;
  /** By the meter, and by the stored events. */
  readonly metered: number;
  readonly counted: number;
}

export interface PartitionReport {
  readonly partition: number;
  readonly epoch: number;
  readonly oldestSeq: Seq;
  readonly newestSeq: Seq;
  readonly blocks: number;
  readonly entries: number;
  readonly documents: number;
  /** Documents per table, in the order of the tables' numbers. */
  readonly tables: readonly (readonly [table: string, count: number])[];
  readonly checkpoints: number;
  readonly historyFiles: number;
  /** Of the memory; 0 at level `records`. */
  readonly apps: number;
  readonly people: number;
  /** Absent at level `records`, and for memory that cannot be built. */
  readonly active?: ActivePeople;
  /** Ways in which memory was built and found equal: from the first block, from each checkpoint. */
  readonly folds: number;
  /** The newest instant in a block; 0 in an empty log. */
  readonly newestMs: Millis;
  /** Of `data.mdb`. */
  readonly bytes: Bytes;
  readonly durMs: Millis;
  /** Only the first few. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

/** For each partition any number of `progress`, then `report` or `failed`. */
export type CheckEvent =
  | { readonly kind: 'progress'; readonly partition: number; readonly what: string }
  | { readonly kind: 'report'; readonly report: PartitionReport }
  | { readonly kind: 'failed'; readonly partition: number; readonly problem: string };
