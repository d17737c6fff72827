// The metrics of a server in a cluster, as its shard threads see the cluster.

import type { ClusterFigures } from '../../actors/runtime/cluster/protocol.ts';
import type { Router } from '../../engine/actor/router.ts';
import type { Metrics } from '../../engine/observe/metrics.ts';

const numberOfRole: Readonly<Record<string, number>> = { standby: 1, claiming: 2, owner: 3 };

export async function setCluster(
  metrics: Metrics,
  router: Pick<Router, 'askShard' | 'shardCount'>,
  partitions: number,
): Promise<void> {
  const all: ClusterFigures[] = [];
  for (let shard = 0; shard < router.shardCount; shard++) {
    const answer = await router.askShard(shard, { kind: 'thread.cluster' });
    if (answer.ok && answer.value !== undefined) all.push(answer.value as ClusterFigures);
  }
  const [first] = all;
  if (first === undefined) return;
  const live = first.members.filter(({ isLive }) => isLive).length;
  metrics.set('engage_cluster_members', { state: 'live' }, live + 1);
  metrics.set('engage_cluster_members', { state: 'silent' }, first.members.length - live);
  const owned = new Set(first.owners.map(({ partition }) => partition));
  metrics.set('engage_cluster_ownerless_partitions', {}, partitions - owned.size);
  const sum = (of: (one: ClusterFigures) => number) => all.reduce((all, one) => all + of(one), 0);
  metrics.set(
    'engage_cluster_takeovers_total',
    {},
    sum(({ takeovers }) => takeovers),
  );
  metrics.set(
    'engage_cluster_losses_total',
    {},
    sum(({ losses }) => losses),
  );
  const skewMs = Math.max(...all.map(({ skewMs }) => Math.abs(skewMs)));
  metrics.set('engage_cluster_clock_skew_seconds', {}, skewMs / 1000);
  setCopies(metrics, all, partitions);
}

/** Of each partition, so that a copy that is gone does not stay in the figures. */
function setCopies(metrics: Metrics, all: readonly ClusterFigures[], partitions: number): void {
  const copies = new Map(all.flatMap((one) => one.copies.map((copy) => [copy.partition, copy])));
  for (let partition = 0; partition < partitions; partition++) {
    const labels = { partition: String(partition) };
    const { role = '', term = 0, lag = 0 } = copies.get(partition) ?? {};
    metrics.set('engage_cluster_role', labels, numberOfRole[role] ?? 0);
    metrics.set('engage_cluster_term', labels, term);
    metrics.set('engage_cluster_copy_lag_frames', labels, lag);
  }
}
