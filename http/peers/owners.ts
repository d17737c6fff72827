// Who owns which partition, as this server's shard threads have heard; a newer term wins. It may be
// behind: whoever is asked by mistake says so.

import type { ClusterOwners, PartitionOwner } from '../../actors/runtime/cluster/protocol.ts';

/** Where a partition is. */
export interface Whereabouts extends PartitionOwner {
  /** The shard thread of this server that owns it; absent for another server's. */
  readonly shard?: number;
}

export class Owners {
  /** Of this server's threads, by their index. */
  readonly #threads: readonly string[];
  readonly #told = new Map<string, readonly PartitionOwner[]>();
  readonly #listeners: (() => void)[] = [];
  #places = new Map<number, Whereabouts>();

  constructor(threads: readonly string[]) {
    this.#threads = threads;
  }

  /** `undefined` while nobody is known to own it. */
  of(partition: number): Whereabouts | undefined {
    return this.#places.get(partition);
  }

  /** Called after each change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  hear({ member, owners }: ClusterOwners): void {
    this.#told.set(member, owners);
    const places = new Map<number, Whereabouts>();
    for (const [thread, told] of this.#told)
      for (const owner of told) {
        const known = places.get(owner.partition);
        const isHere = owner.member === thread;
        if (!isHere && this.#threads.includes(owner.member)) continue; // that thread knows better
        const isNews = known === undefined || owner.term > known.term;
        if (!isNews && !(isHere && owner.term === known.term)) continue;
        const shard = isHere ? { shard: this.#threads.indexOf(thread) } : {};
        places.set(owner.partition, { ...owner, ...shard });
      }
    this.#places = places;
    for (const listener of this.#listeners) listener();
  }
}
