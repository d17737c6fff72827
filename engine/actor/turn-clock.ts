// The instant of a turn: the wall clock, but never backwards, also across a restart. After a
// forward jump that the monotonic clock does not confirm, it catches up at five minutes a second,
// so that one wrong reading cannot expire a year of records. Downtime is not a jump.

import { type Millis, minuteMs } from '../base/brand.ts';
import type { Clock } from '../time/clock.ts';

/** How far the wall clock may run ahead of the monotonic clock before it counts as a jump. */
const jumpMs: Millis = 5 * minuteMs;
/** The speed of catching up with a jump, in multiples of real time. */
const pace = 300;

/** The clock of a partition. `startMs` is the newest instant in its memory at the first call. */
export class TurnClock {
  readonly #clock: Clock;
  readonly #onJump: (aheadMs: Millis) => void;
  #lastMs: Millis | undefined;
  #lastMonotonic: Millis = 0;
  #isBehind = false;

  /** `onJump` is called once per jump, with how far the wall clock is ahead. */
  constructor(clock: Clock, onJump: (aheadMs: Millis) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /** True while catching up with a jump: ask for the next instant in a second. */
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
