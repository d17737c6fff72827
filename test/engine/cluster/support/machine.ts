// A machine of the cluster's worlds: its disks, which outlive its processes, its clocks, and what
// stands between it and the others.

import type { ClusterNode } from '../../../../engine/cluster/node.ts';
import type { PartitionCopy } from '../../../../engine/log/copy.ts';
import type { MemoryStore } from '../../../../storage/memory.ts';
import type { NotedMemory } from '../../log/support/noted-partition.ts';

/** A process, from its start to its death. */
export interface Life {
  isAlive: boolean;
  /** What came while it was stopped, in order. */
  backlog: (() => void)[] | undefined;
  node: ClusterNode | undefined;
  readonly copies: Map<number, PartitionCopy>;
  readonly memories: Map<number, NotedMemory>;
  /** Partitions whose messages wait. */
  readonly held: Set<number>;
}

export interface Machine {
  readonly name: string;
  readonly zone: string;
  readonly files: Map<number, MemoryStore>;
  life: Life | undefined;
  /** How fast its monotonic clock runs. */
  readonly rate: number;
  /** How long it was suspended: its monotonic clock stood still, and it does not know. */
  suspendedMs: number;
  suspendedSinceMs: number | undefined;
  /** When it last woke from that; what its lease says afterwards may be wrong for a while. */
  wokeMs: number;
  /** Its wall clock less the true time. */
  wallOffMs: number;
  cutToLog: boolean;
  cutFromLog: boolean;
  /** Names of machines that do not hear it. */
  readonly unheardBy: Set<string>;
  isDraining: boolean;
}

export function newMachine(index: number, zone: string, rate: number): Machine {
  return {
    name: `node-${index}`,
    zone,
    files: new Map(),
    life: undefined,
    rate,
    suspendedMs: 0,
    suspendedSinceMs: undefined,
    wokeMs: Number.NEGATIVE_INFINITY,
    wallOffMs: 0,
    cutToLog: false,
    cutFromLog: false,
    unheardBy: new Set(),
    isDraining: false,
  };
}
