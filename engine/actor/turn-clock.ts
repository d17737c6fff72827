// The instant of a turn: the wall clock, but never backwards, also across a restart. A forward jump
// that the monotonic clock does not confirm is caught up with at five minutes a second, so that one
// wrong reading cannot expire a year of records. Downtime is no jump.

import { type Millis, minuteMs } from '../base/brand.ts';
import type { Clock } from '../time/clock.ts';

/** How far the wall may run ahead of the monotonic clock before it counts as a jump. */
const jumpMs: Millis = 5 * minuteMs;
/** How many times as fast as real time a jump is caught up with. */
const pace = 300;

/**
 * Gives a partition its instants. `startMs`: the newest instant that its memory knows, at the first
 * call.
 */
export class TurnClock {
  readonly #clock: Clock;
  readonly #onJump: (aheadMs: Millis) => void;
  #lastMs: Millis | undefined;
  #lastMonotonic: Millis = 0;
  #isBehind = false;

  /** `onJump` is called once for each jump, with how far the wall is ahead. */
  constructor(clock: Clock, onJump: (aheadMs: Millis) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /**
   * True while a jump is being caught up with: the next instant is worth asking for in a second.
   */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /**
   * The instant of a turn that starts now; `floorMs` is the instant of the turn before, in the log.
   */
  now(floorMs: Millis): Millis {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const last = this.#lastMs;
    const elapsed = Math.max(0, monotonic - this.#lastMonotonic);
    this.#lastMonotonic = monotonic;
    let nowMs = Math.max(floorMs, wall);
    if (last !== undefined) {
      const ahead = wall - (last + elapsed);
      if (ahead > (this.#isBehind ? 0 : jumpMs)) {
        if (!this.#isBehind) this.#onJump(ahead);
        nowMs = Math.max(floorMs, Math.min(wall, last + Math.floor(elapsed * pace)));
        this.#isBehind = nowMs < wall;
      } else this.#isBehind = false;
    }
    this.#lastMs = nowMs;
    return nowMs;
  }
}
