// The start data of each shard thread of a server in a cluster. A thread is a member of its own, so
// nothing has to cross threads when a partition moves.

import type { ClusterData } from '../../actors/runtime/cluster/protocol.ts';
import { version } from '../version.ts';
import type { ClusterConfig } from './cluster-settings.ts';

/** Of the logs that a new cluster makes. */
const firstGeneration = 1;

interface ClusterMembers {
  /** Of each shard thread, until when its leases hold; dispatch threads look at them. */
  readonly leases: readonly SharedArrayBuffer[];
  /** By the thread's index. */
  dataOf(index: number): ClusterData;
}

/** `undefined` for a server that is alone. */
export function clusterMembers(
  config: ClusterConfig | undefined,
  { shards, partitions }: { readonly shards: number; readonly partitions: number },
): ClusterMembers | undefined {
  if (config === undefined) return undefined;
  const {
    name: cluster,
    logBytesMax,
    zone,
    address,
    copies,
    servers,
    monitors,
    password: natsPassword,
    allowsUnsafe,
  } = config;
  const names = memberNames(config, { shards });
  const leases = names.map(() => new SharedArrayBuffer(4 * partitions));
  return {
    leases,
    dataOf: (index) => ({
      cluster,
      member: names[index] as string,
      leases: leases[index] as SharedArrayBuffer,
      ...{ zone, address, version, copies, generation: firstGeneration },
      ...{ natsServers: servers, natsMonitors: monitors, allowsUnsafe, logBytesMax },
      natsPassword,
    }),
  };
}

/** By shard thread. */
export function memberNames(
  { node }: ClusterConfig,
  { shards }: { readonly shards: number },
): readonly string[] {
  return shards === 1 ? [node] : Array.from({ length: shards }, (_, index) => `${node}.${index}`);
}
