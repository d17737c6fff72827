// How many threads there are: a pure function of cores and settings.

interface TopologyInput {
  readonly cores: number;
  readonly partitions: number;
  readonly shards?: number | undefined;
  readonly dispatchers?: number | undefined;
}

interface Topology {
  readonly partitions: number;
  readonly shards: number;
  readonly dispatchers: number;
  /** libuv's pool: every partition may commit in it, and other work must not block a commit. */
  readonly threadPoolSize: number;
}

/** Shards for most cores (the front needs one), a dispatcher for every four. */
export function planTopology({ cores, partitions, shards, dispatchers }: TopologyInput): Topology {
  const wanted = shards ?? Math.max(1, cores - 1);
  return {
    partitions,
    shards: Math.min(wanted, partitions),
    dispatchers: dispatchers ?? Math.max(1, Math.round(cores / 4)),
    threadPoolSize: partitions + 16,
  };
}
