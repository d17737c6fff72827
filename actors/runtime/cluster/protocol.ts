// The start data of a shard thread that is a member of a cluster, what it tells its front, and what
// an operator may ask it.

import type { Message } from '../../../engine/actor/message.ts';
import type { Bytes, Millis, Seq } from '../../../engine/base/brand.ts';
import type { CopyRole } from '../../../engine/log/copy.ts';
import type { Position } from '../../../engine/log/partition-log.ts';

/** See `ClusterData`. */
export const logBytesMaxDefault: Bytes = 1024 ** 3;

export interface ClusterData {
  /** The cluster's name. */
  readonly cluster: string;
  /** Unique among shard threads of the cluster. */
  readonly member: string;
  readonly zone: string;
  /** `host:port` at which other nodes reach this one. */
  readonly address: string;
  readonly version: string;
  /** Of each partition, its owner's included. */
  readonly copies: number;
  /** Of the logs. A log that is built anew is another one. */
  readonly generation: number;
  /** `host:port` of nats-servers. */
  readonly natsServers: readonly string[];
  /** Of the user `engage` there; absent where they ask for none. */
  readonly natsPassword?: string | undefined;
  /** `http://host:port` of the monitoring of each. */
  readonly natsMonitors: readonly string[];
  /** Takes servers that may lose what they acknowledged. */
  readonly allowsUnsafe: boolean;
  /** Of a partition's log on the servers. */
  readonly logBytesMax?: Bytes;
  /** Until when this member's leases hold: four bytes a partition, which dispatchers read. */
  readonly leases: SharedArrayBuffer;
}

/** Who owns a partition, as far as a member knows. */
export interface PartitionOwner {
  readonly partition: number;
  readonly member: string;
  readonly address: string;
  readonly term: number;
  /** It is about to move: requests should wait until another notice. */
  readonly isHeld?: true;
}

/** To the front, at the start and whenever it changes: all partitions with a live owner. */
export interface ClusterOwners extends Message {
  readonly kind: 'cluster.owners';
  /** Who says so. */
  readonly member: string;
  readonly owners: readonly PartitionOwner[];
}

/** Answered with `ClusterFigures`. */
export interface ClusterRequest extends Message {
  readonly kind: 'thread.cluster';
}

/** The member shall be emptied, or no longer. Answered with `ClusterFigures`. */
export interface DrainRequest extends Message {
  readonly kind: 'thread.drain';
  readonly isDraining: boolean;
}

/** Another member, or this one. */
export interface MemberFigures {
  readonly name: string;
  readonly zone: string;
  readonly address: string;
  readonly version: string;
  readonly isLive: boolean;
  readonly silentMs: Millis;
  readonly isDraining: boolean;
  readonly isClockWrong: boolean;
}

/** This member's copy of a partition. */
export interface CopyFigures {
  readonly partition: number;
  readonly role: CopyRole;
  readonly term: number;
  readonly position: Position;
  readonly seq: Seq;
  /** Positions behind the newest that a live member has. */
  readonly lag: number;
  /** By the plan, the owner first. */
  readonly planned: readonly string[];
  readonly movesTo?: string;
  readonly awaitsTerm?: number;
  /** Why the copy does nothing any more. */
  readonly error?: string;
}

/** The cluster as one member sees it. */
export interface ClusterFigures {
  readonly cluster: string;
  readonly member: string;
  readonly isDraining: boolean;
  /** Nothing is left on it that others do not have. */
  readonly isEmpty: boolean;
  readonly isConnected: boolean;
  readonly skewMs: Millis;
  readonly planVersion: number;
  readonly members: readonly MemberFigures[];
  readonly copies: readonly CopyFigures[];
  readonly owners: readonly PartitionOwner[];
  /** Terms that began and ended here, since the start of the process. */
  readonly takeovers: number;
  readonly losses: number;
}
