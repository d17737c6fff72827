// The start data of a shard thread, and what it answers itself.

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
  /** Where the lists of erased people are, if not in the data directory. */
  readonly erasuresDir: string | undefined;
  /** How long backups are kept. */
  readonly backupDays: number;
  /** `ENGAGE_MASTER_KEY`; if unset, the key file of the data directory is used. */
  readonly masterKey: string | undefined;
  readonly publicUrl: string;
  readonly logLevel: string;
  /** Channels with an adapter in this mode. */
  readonly available: readonly ChannelId[];
  readonly credentialsRequired: boolean;
  readonly allowHttpEndpoints: boolean;
  /**
   * Four bytes shared by all shards, so that they make one checkpoint at a time; without it, each
   * shard makes one.
   */
  readonly checkpointGate?: SharedArrayBuffer;
}

/**
 * Makes a partition's checkpoint now; answered with a `CheckpointResult` once durable. `sweep`:
 * even without news, to remove expired and erased events.
 */
export interface CheckpointRequest extends Message {
  readonly kind: 'thread.checkpoint';
  readonly partition: number;
  readonly sweep?: boolean;
}

/** For metrics. */
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
