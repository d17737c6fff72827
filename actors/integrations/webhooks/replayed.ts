// Which deliveries of a restored backup may have been made since: those of chunks from before the
// restore, and those of events that were not in the ledger yet. Their calls say so.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Millis } from '../../../engine/base/brand.ts';

export interface ReplayedSnapshot {
  readonly untilMs: Millis;
  readonly unwritten: number;
}

export class Replayed {
  /** Chunks up to this instant. */
  #untilMs: Millis;
  /** Events of the backup that wait for their chunk. */
  #unwritten: number;

  constructor({ untilMs, unwritten }: ReplayedSnapshot = { untilMs: -1, unwritten: 0 }) {
    this.#untilMs = untilMs;
    this.#unwritten = unwritten;
  }

  restored(atMs: Millis, unwritten: number): void {
    this.#untilMs = atMs;
    this.#unwritten = unwritten;
  }

  /** Newer events in the same chunk count as well: they only may have been sent. */
  written(atMs: Millis, taken: number): void {
    if (this.#unwritten === 0) return;
    this.#unwritten = Math.max(0, this.#unwritten - taken);
    this.#untilMs = Math.max(this.#untilMs, atMs);
  }

  isReplayed(chunkMs: Millis): boolean {
    return chunkMs <= this.#untilMs;
  }

  /** Chunks keep their instants, so those of the wrong time after `to` no longer say so. */
  rebase(to: Rebase): void {
    this.#untilMs = to.stamp(this.#untilMs);
  }

  snapshot(): ReplayedSnapshot {
    return { untilMs: this.#untilMs, unwritten: this.#unwritten };
  }
}
