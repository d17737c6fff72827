// What each shard thread of a server in a cluster is told: a thread is a member of its own, so that
// nothing has to cross threads when a partition moves.

import type { ClusterData } from '../../actors/runtime/cluster/protocol.ts';
import { version } from '../version.ts';
import type { ClusterConfig } from './cluster-settings.ts';

/** Of the logs that a new cluster makes. */
const firstGeneration = 1;

export interface ClusterMembers {
  /** Until when the leases of this server's partitions hold, for all of its threads. */
  readonly leases: SharedArrayBuffer;
  /** By the thread's index. */
  dataOf(index: number): ClusterData;
}

/** `undefined` for a server that is alone. */
export function clusterMembers(
  config: ClusterConfig | undefined,
  { shards, partitions }: { readonly shards: number; readonly partitions: number },
): ClusterMembers | undefined {
  if (config === undefined) return undefined;
  const leases = new SharedArrayBuffer(4 * partitions);
  const { name: cluster, node, zone, address, copies, servers, monitors, allowsUnsafe } = config;
  return {
    leases,
    dataOf: (index) => ({
      cluster,
      member: shards === 1 ? node : `${node}.${index}`,
      ...{ zone, address, version, copies, generation: firstGeneration },
      ...{ natsServers: servers, natsMonitors: monitors, allowsUnsafe, leases },
    }),
  };
}
