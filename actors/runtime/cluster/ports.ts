// What a member of a cluster shares with the others: the directory, beats, the log of each
// partition, and files of copies. On NATS in a server, in memory in tests.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Beats } from '../../../engine/cluster/beats.ts';
import type { Directory } from '../../../engine/cluster/directory.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import type { Log } from '../../../engine/observe/log.ts';
import type { Sealer } from '../../sealer.ts';
import type { ClusterData } from './protocol.ts';

/** How a member's time passes. */
export interface MemberTime {
  /** Shared by all threads that look at the leases. */
  monotonic(): Millis;
  wall(): Millis;
  wait(ms: Millis): Promise<void>;
  /** Returns how to end it. */
  every(ms: Millis, task: () => void): () => void;
}

export interface ClusterPorts {
  readonly directory: Directory;
  readonly beats: Beats;
  readonly time: MemberTime;
  log(partition: number): PartitionLog;
  /** Another member's files of a partition, whole, as the folder `into`. False: not now. */
  fetchCopy(address: string, partition: number, into: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface PortsNeeds {
  readonly cluster: ClusterData;
  readonly partitions: number;
  /** For the key under which members talk. */
  readonly sealer: Pick<Sealer, 'keysFor'>;
  /** Whether this member has files of a partition: then its log must be there. */
  readonly hasFiles: (partition: number) => boolean;
  readonly log: Log;
}

export type OpenClusterPorts = (needs: PortsNeeds) => Promise<ClusterPorts>;
