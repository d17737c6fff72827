// A turn's instant. It never runs backwards, also across restarts, and never stands still: while
// the wall clock is behind, it follows the monotonic clock, a little slower, so that delays end and
// the wall clock can come closer. After a jump ahead that the monotonic clock does not explain, it
// catches up at five minutes a second. Downtime is no jump.

import { hourMs, type Millis, minuteMs } from '../base/brand.ts';
import type { Clock } from '../time/clock.ts';

/** A wall clock further ahead of the monotonic one has jumped. */
const jumpMs: Millis = 5 * minuteMs;
/** A longer advance that no clock explains is in doubt: an hour is a wrong time zone. */
const doubtMs: Millis = hourMs;
/** Catch-up speed, in multiples of real time. */
const pace = 300;
/** Speed while the wall clock is behind: what was an hour ahead is right again in 20 hours. */
const slowPace = 0.95;

interface TurnInstant {
  readonly nowMs: Millis;
  /** What the wall clock shows, but at most `nowMs`. */
  readonly wallMs: Millis;
  /** An advance since the instant before that nothing explains. */
  readonly doubted: { readonly fromMs: Millis; readonly toMs: Millis } | undefined;
}

/** At the first call, `floorMs` is the newest instant in memory. */
export class TurnClock {
  readonly #clock: Clock;
  readonly #onJump: (aheadMs: Millis) => void;
  #lastMs: Millis | undefined;
  #lastWall: Millis = 0;
  #lastMonotonic: Millis = 0;
  #isCatchingUp = false;

  /** `onJump`: once per jump, with its size. */
  constructor(clock: Clock, onJump: (aheadMs: Millis) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /** After a jump ahead: read the next instant in a second. */
  get isCatchingUp(): boolean {
    return this.#isCatchingUp;
  }

  /** Instants go on from here, though earlier ones were later. */
  restart(): void {
    this.#lastMs = undefined;
    this.#isCatchingUp = false;
  }

  /** Whether the wall clock has moved by more than `byMs` since the newest instant. */
  hasMoved(byMs: Millis): boolean {
    const elapsed = this.#clock.monotonic() - this.#lastMonotonic;
    return Math.abs(this.#clock.now() - this.#lastWall - elapsed) > byMs;
  }

  /** A new turn's instant; `floorMs` is the previous turn's, 0 before the first of a partition. */
  now(floorMs: Millis): TurnInstant {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const last = this.#lastMs;
    const elapsed = last === undefined ? 0 : Math.max(0, monotonic - this.#lastMonotonic);
    // The wall clock may be ahead of instants that catch up with it.
    const explained = last === undefined ? floorMs : Math.max(last, this.#lastWall) + elapsed;
    this.#lastMonotonic = monotonic;
    this.#lastWall = wall;
    const from = last ?? floorMs;
    // By the monotonic clock alone. A fraction stays, so that many short turns lose no time.
    const expected = last === undefined ? floorMs : last + elapsed;
    let nowMs = wall;
    if (wall < from + elapsed * slowPace) nowMs = from + elapsed * slowPace;
    const wasCatchingUp = this.#isCatchingUp;
    const ahead = wall - expected;
    if (last !== undefined && ahead > (wasCatchingUp ? 0 : jumpMs)) {
      if (!wasCatchingUp) this.#onJump(ahead);
      nowMs = Math.min(wall, last + elapsed * pace);
      this.#isCatchingUp = nowMs < wall;
    } else this.#isCatchingUp = false;
    this.#lastMs = nowMs;
    const whole = Math.max(floorMs, Math.floor(nowMs));
    return {
      nowMs: whole,
      wallMs: Math.min(wall, whole),
      doubted:
        floorMs > 0 && wall - explained > doubtMs
          ? { fromMs: Math.floor(explained), toMs: wall }
          : undefined,
    };
  }
}
