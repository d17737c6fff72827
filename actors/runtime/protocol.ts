// The start data of a shard thread, and what it answers itself.

import type { Message } from '../../engine/actor/message.ts';
import type { PartitionFigures } from '../../engine/actor/partition-options.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { SenderRules } from '../tenants/accounts/sender.ts';
import type { UnpaidFigures } from '../tenants/billing/unpaid.ts';
import type { ClockWitness } from './clock-watch.ts';
import type { ClusterData } from './cluster/protocol.ts';
import type { ExhaustedFigures } from './exhausted.ts';

export interface ShardData {
  readonly index: number;
  readonly shards: number;
  readonly partitions: number;
  readonly dispatchers: number;
  /** See `DispatchThreads`. */
  readonly campaignDispatchers?: number;
  readonly dataDir: string;
  /** Where the lists of erased people are, if not in the data directory. */
  readonly erasuresDir: string | undefined;
  /** How long backups are kept. */
  readonly backupDays: number;
  /** `ENGAGE_MASTER_KEY`; if unset, the key file of the data directory is used. */
  readonly masterKey: string | undefined;
  readonly publicUrl: string;
  readonly logLevel: string;
  /** Whether a mail relay is configured. */
  readonly hasRelay: boolean;
  readonly credentialsRequired: boolean;
  /** Whether a key of the payment provider is set. */
  readonly charges: boolean;
  readonly senders: SenderRules;
  readonly allowHttpEndpoints: boolean;
  /** Storage quota of an org that is made; absent for none. */
  readonly newOrgQuotaBytes?: number | undefined;
  /** See `ClientsRules`. */
  readonly clientsShare?: number;
  /** Lets the shards of a process make one checkpoint at a time (four bytes). */
  readonly checkpointGate?: SharedArrayBuffer;
  /** Each shard's recalls (four bytes each), raised before what they are for is answered. */
  readonly recalls?: SharedArrayBuffer;
  /** Paces of relays (`sharedPacesBytes`), which dispatchers keep. */
  readonly paces?: SharedArrayBuffer;
  /** Who may confirm the clock; none if absent. */
  readonly clockSources?: readonly ClockWitness[];
  /** When a provider's clock agreed with ours (four bytes). */
  readonly clockAgreed?: SharedArrayBuffer;
  /** Whether the data directory has a ballast. */
  readonly hasBallast?: boolean;
  /** See `UnvouchedAlarm`; none if absent. */
  readonly unvouchedAlarmPercent?: number | undefined;
  /** Absent: this server shares its log with no other. */
  readonly cluster?: ClusterData | undefined;
}

/** Answered with `ClockFigures`, as they were before. `accept`: the wall clock is right. */
export interface ClockRequest extends Message {
  readonly kind: 'thread.clock';
  readonly accept?: boolean;
}

/** Of the worst partition. */
export interface ClockFigures {
  readonly behindMs: Millis;
  readonly unconfirmedMs: Millis;
  /** Orgs and apps of all partitions that are quarantined; absent for none. */
  readonly quarantined?: number;
}

/** Answered with a `CheckpointResult` once durable. `sweep`: even without news. */
export interface CheckpointRequest extends Message {
  readonly kind: 'thread.checkpoint';
  readonly partition: number;
  readonly sweep?: boolean;
}

/**
 * Copies the partition's files below a folder of the same process; answered with a
 * `CopiedPartition`.
 */
export interface CopyRequest extends Message {
  readonly kind: 'thread.copy';
  readonly partition: number;
  readonly into: string;
}

/** Of a partition's destinations. */
interface WebhookFigures {
  /** Deliveries that have not ended. */
  readonly open: number;
  /** Destinations that Engage switched off. */
  readonly disabled: number;
}

/** Unfinished ones, without drafts. */
interface CampaignFigures {
  scheduled: number;
  sending: number;
  paused: number;
}

/** Of a partition's file. */
interface StoreFigures {
  readonly bytes: number;
  /** How long the oldest reader has kept pages from being reused. */
  readonly oldestReaderMs: Millis;
  /** 0: all writes are taken. 1: only what the reserve is for. 2: none. */
  readonly diskLevel: number;
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
    /** How long the oldest send that may start has been in the outbox. */
    readonly outboxOldestMs: Millis;
    /** Channels of apps that a provider has slowed down. */
    readonly slowed: number;
    readonly campaigns: CampaignFigures;
    /** People on their way through journeys. */
    readonly journeys: number;
    readonly store: StoreFigures;
    readonly webhooks: WebhookFigures;
    readonly unpaid: UnpaidFigures;
    readonly ready: number;
    readonly expiredPeople: number;
    readonly eventIdHours: number;
    readonly clock: ClockFigures;
    /** Orgs and apps whose replay failed. */
    readonly quarantined: number;
    readonly figures: PartitionFigures;
  }[];
  readonly exhausted: ExhaustedFigures;
  /** Apps above the alarm's threshold. */
  readonly unvouchedApps: number;
}
