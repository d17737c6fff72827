// What a shard thread is started with, and what it answers for itself rather than for one of its
// partitions.

import type { Message } from '../../engine/actor/message.ts';
import type { PartitionFigures } from '../../engine/actor/partition-options.ts';
import type { ChannelId } from '../channels/channel-ids.ts';
import type { GivenUpFigures } from './given-up.ts';

export interface ShardData {
  readonly index: number;
  readonly shards: number;
  readonly partitions: number;
  readonly dispatchers: number;
  readonly dataDir: string;
  /** Where the lists of erased people lie, if not in the data directory. */
  readonly erasuresDir: string | undefined;
  /** How many days backups are kept. */
  readonly backupDays: number;
  /** The text of `ENGAGE_MASTER_KEY`, where it is set; else the file in the data directory. */
  readonly masterKey: string | undefined;
  readonly publicUrl: string;
  readonly logLevel: string;
  /** Channels that an adapter exists for, in this mode. */
  readonly available: readonly ChannelId[];
  readonly credentialsRequired: boolean;
  readonly allowHttpEndpoints: boolean;
  /**
   * Four bytes that all shards of the process share, so that one checkpoint is made at a time; else
   * one a shard.
   */
  readonly checkpointGate?: SharedArrayBuffer;
}

/**
 * Asks a shard thread (not a partition) to make a partition's checkpoint now; answered with a
 * `CheckpointResult` when it is durable. `sweep`: also when nothing is new, and expired and erased
 * events go at once.
 */
export interface CheckpointRequest extends Message {
  readonly kind: 'thread.checkpoint';
  readonly partition: number;
  readonly sweep?: boolean;
}

/** Figures of one shard, for metrics. */
export interface ShardFigures {
  readonly partitions: readonly {
    readonly partition: number;
    readonly seq: number;
    /** 0 for none. */
    readonly checkpointSeq: number;
    readonly mailbox: number;
    readonly timers: number;
    readonly apps: number;
    readonly outbox: number;
    readonly ready: number;
    readonly eventIdHours: number;
    readonly figures: PartitionFigures;
  }[];
  readonly givenUp: GivenUpFigures;
}
