// How many threads there are: a pure function of cores and settings.

interface TopologyInput {
  readonly cores: number;
  readonly partitions: number;
  readonly shards?: number | undefined;
  readonly dispatchers?: number | undefined;
  readonly campaignDispatchers?: number | undefined;
}

interface Topology {
  readonly partitions: number;
  readonly shards: number;
  readonly dispatchers: number;
  /** How many dispatchers share the people of one campaign on a channel. */
  readonly campaignDispatchers: number;
  /** libuv's pool: every partition may commit in it, and other work must not block a commit. */
  readonly threadPoolSize: number;
}

/**
 * Shards for most cores (the front needs one). A dispatcher for every four, but two from four cores
 * on: a campaign fills one, and with two its shard.
 */
export function planTopology({
  cores,
  partitions,
  shards = Math.max(1, cores - 1),
  dispatchers = Math.max(cores < 4 ? 1 : 2, Math.round(cores / 4)),
  campaignDispatchers = 2,
}: TopologyInput): Topology {
  return {
    partitions,
    shards: Math.min(shards, partitions),
    dispatchers,
    campaignDispatchers: Math.min(campaignDispatchers, dispatchers),
    threadPoolSize: partitions + 16,
  };
}
