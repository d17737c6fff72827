// A link between two threads: what is sent arrives later, in the order sent, and not at all if the
// process dies first. Two links know nothing of each other, so their messages overtake one another.

import type { Rng } from '../../engine/base/rng.ts';
import { coin } from './chance.ts';
import type { Timeline } from './timeline.ts';

/** What a link needs of the process that it runs in. */
export interface LinkHost {
  readonly timeline: Pick<Timeline, 'nowMs' | 'after'>;
  readonly rng: Rng;
  readonly alive: boolean;
  /** The time that the next message takes. */
  linkDelayMs(): number;
}

/** A one-way, first-in, first-out link. */
export class Link<Item> {
  readonly #host: LinkHost;
  readonly #deliver: (item: Item) => void;
  #lastMs = 0;

  constructor(host: LinkHost, deliver: (item: Item) => void) {
    this.#host = host;
    this.#deliver = deliver;
  }

  /**
   * Sends an item. It has to be plain data: now and then it is cloned as a thread's port would
   * clone it.
   */
  send(item: Item): void {
    const { timeline } = this.#host;
    const atMs = Math.max(this.#lastMs, timeline.nowMs + this.#host.linkDelayMs());
    this.#lastMs = atMs;
    const sent = coin(this.#host.rng, 0.1) ? structuredClone(item) : item;
    timeline.after(atMs - timeline.nowMs, () => {
      if (this.#host.alive) this.#deliver(sent);
    });
  }
}
