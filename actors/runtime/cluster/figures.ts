// What an operator sees of the cluster from one member.

import type { ClusterNode } from '../../../engine/cluster/node.ts';
import type { ClusterFigures, CopyFigures, MemberFigures, PartitionOwner } from './protocol.ts';

interface FiguresView {
  readonly cluster: string;
  readonly member: string;
  readonly node: Pick<ClusterNode, 'members' | 'copies' | 'plan' | 'isDraining' | 'isEmpty'>;
  readonly owners: readonly PartitionOwner[];
  /** Of copies that failed, by partition. */
  readonly errors: ReadonlyMap<number, string>;
  readonly takeovers: number;
  readonly losses: number;
}

export function clusterFigures(view: FiguresView): ClusterFigures {
  const { cluster, member, node, owners, takeovers, losses } = view;
  const { members, plan, isDraining, isEmpty } = node;
  return {
    ...{ cluster, member, isDraining, isEmpty, owners, takeovers, losses },
    isConnected: members.isConnected,
    skewMs: members.skewMs,
    planVersion: plan.version,
    members: members.others().map(
      ({ beat, isLive, silentMs }): MemberFigures => ({
        name: beat.member.name,
        zone: beat.member.zone,
        address: beat.member.address,
        version: beat.member.version,
        isLive,
        silentMs: Math.round(silentMs),
        isDraining: beat.isDraining,
        isClockWrong: beat.isClockWrong,
      }),
    ),
    copies: copiesOf(view),
  };
}

function copiesOf({ node: { members, copies, plan }, errors }: FiguresView): CopyFigures[] {
  const newest = new Map<number, number>();
  for (const { isLive, beat } of members.others()) {
    if (!isLive) continue;
    for (const { partition, position } of beat.copies)
      newest.set(partition, Math.max(position, newest.get(partition) ?? 0));
  }
  return copies.map(({ generation: _, sum: __, ...said }): CopyFigures => {
    const { partition, position } = said;
    const error = errors.get(partition);
    return {
      ...said,
      lag: Math.max(0, (newest.get(partition) ?? 0) - position),
      planned: plan.partitions[partition] ?? [],
      ...(error !== undefined && { error }),
    };
  });
}
