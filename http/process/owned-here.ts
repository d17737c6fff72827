// Which partitions the shard threads of this server own, by what they tell: whoever keeps something
// of a partition hears when it comes and when it goes.

import type { ClusterOwners } from '../../actors/runtime/cluster/protocol.ts';

interface OwnedHereOptions {
  readonly onGained: (partition: number) => void;
  readonly onLost: (partition: number) => void;
}

export class OwnedHere {
  readonly #options: OwnedHereOptions;
  /** By the member that owns them, each a thread of this server. */
  readonly #owned = new Map<string, ReadonlySet<number>>();

  constructor(options: OwnedHereOptions) {
    this.#options = options;
  }

  /** A notice of one of this server's threads. */
  hear({ member: thread, owners }: ClusterOwners): void {
    const before = this.#owned.get(thread) ?? new Set();
    const own = owners.filter(({ member }) => member === thread);
    const now = new Set(own.map(({ partition }) => partition));
    this.#owned.set(thread, now);
    for (const partition of before) if (!now.has(partition)) this.#options.onLost(partition);
    for (const partition of now) if (!before.has(partition)) this.#options.onGained(partition);
  }
}
