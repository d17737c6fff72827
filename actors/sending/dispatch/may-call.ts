// Whether calls that a shard granted may begin: where machines share its log, as long as the lease
// of the partition holds. Another machine may have taken over otherwise.

import { LeaseWords } from '../../../engine/cluster/lease.ts';
import { sharedMonotonic } from '../../../engine/time/clock.ts';

/** `partition`: as in grants. */
export type MayCall = (shard: number, partition: number) => boolean;

/** `leases`: of each shard. */
export function mayCallOf(leases: readonly SharedArrayBuffer[] | undefined): MayCall | undefined {
  if (leases === undefined) return undefined;
  const words = leases.map((buffer) => new LeaseWords(buffer));
  // Addresses of all memories of a partition lead back to its number.
  const partitions = (leases[0]?.byteLength ?? 0) / Int32Array.BYTES_PER_ELEMENT;
  return (shard, partition) =>
    words[shard]?.isHeld(partition % partitions, sharedMonotonic()) === true;
}
