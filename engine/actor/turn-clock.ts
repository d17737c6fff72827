// A turn's instant: wall clock, never backwards, also across restarts. After a jump that the
// monotonic clock does not confirm, it catches up at five minutes a second, so that a wrong reading
// cannot expire a year of records. Downtime is no jump.

import { type Millis, minuteMs } from '../base/brand.ts';
import type { Clock } from '../time/clock.ts';

/** A wall clock further ahead of the monotonic one has jumped. */
const jumpMs: Millis = 5 * minuteMs;
/** Catch-up speed, in multiples of real time. */
const pace = 300;

/** At the first call, `floorMs` is the newest instant in memory. */
export class TurnClock {
  readonly #clock: Clock;
  readonly #onJump: (aheadMs: Millis) => void;
  #lastMs: Millis | undefined;
  #lastMonotonic: Millis = 0;
  #isBehind = false;

  /** `onJump`: once per jump, with its size. */
  constructor(clock: Clock, onJump: (aheadMs: Millis) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /** While catching up: read the next instant in a second. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** A new turn's instant; `floorMs` is the previous turn's. */
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
