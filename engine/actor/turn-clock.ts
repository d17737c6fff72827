// The instant of a turn: the wall clock, made safe to keep time by. It never runs backwards, also
// across a restart, so a clock that was set back refires and reorders nothing. A forward jump that
// the monotonic clock knows nothing of is caught up with at five minutes a second rather than
// believed at once: one wrong reading must not expire a year of records, and after a suspended
// night the timers of that night come in a stream, not in one turn. Downtime is no jump. Source:
// reliability of timers under clock trouble (libfaketime: steps, suspends, leap days).

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

  /** `onJump` is told once for each jump, with how far the wall is ahead. */
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
