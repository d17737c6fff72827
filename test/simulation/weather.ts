// What happens to the machine while faults are on: its wall clock jumps, its disk fills up, it is
// off for a while, or it starts with a wrong clock.

import { dayMs, hourMs, minuteMs, secondMs } from '../../engine/base/brand.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { coin, span } from './chance.ts';
import type { Faults } from './faults.ts';
import type { Timeline } from './timeline.ts';

const founded = Date.UTC(2026, 0, 31, 21); // three hours before a month ends
/** A day and a half in all: rows of sends must not reach the end of their retention. */
const aheadMaxMs = 36 * hourMs;

const yearMs = 365 * dayMs;

/** The machine's clock and disk. */
export class Weather {
  /** The clock as every thread of the machine reads it. */
  readonly clock: Clock;
  /** The disk is nearly full. */
  diskLow = false;
  /** Every second time that the disk is nearly full: the last bytes are gone, too. */
  diskFull = false;
  #fillings = 0;
  /** When the wall clock last jumped ahead. */
  jumpedAheadMs = Number.NEGATIVE_INFINITY;
  readonly #timeline: Timeline;
  readonly #rng: Rng;
  readonly #note: (text: string) => void;
  #wallOffsetMs = 0;
  /** How long the machine was off, in all. */
  #offMs = 0;
  /** Of this start's clock, until somebody sets it. */
  #errorMs = 0;
  #starts = 0;
  #latestMs = 0;

  constructor(timeline: Timeline, rng: Rng, note: (text: string) => void) {
    this.#timeline = timeline;
    this.#rng = rng;
    this.#note = note;
    this.clock = { now: () => this.#now(), monotonic: () => timeline.nowMs };
  }

  /** What a right clock shows. */
  get trueMs(): number {
    return founded + this.#timeline.nowMs + this.#offMs;
  }

  /** How far the wall clock is from the truth. */
  get errorMs(): number {
    return this.#errorMs;
  }

  /** The machine starts again. */
  starts({ startClocks }: Faults): void {
    this.#starts++;
    this.#errorMs = 0;
    if (startClocks === 'right') {
      this.#offMs += spread(this.#rng, minuteMs, yearMs);
      this.#note(`the machine was off until ${new Date(this.trueMs).toISOString()}`);
    }
    if (startClocks !== 'wrong' || coin(this.#rng, 0.25)) return;
    this.#errorMs = coin(this.#rng, 0.3)
      ? -spread(this.#rng, secondMs, dayMs)
      : spread(this.#rng, hourMs + minuteMs, yearMs);
    this.#note(`the wall clock is wrong by ${this.#errorMs}`);
    if (coin(this.#rng, 0.2)) return; // until the next start
    const start = this.#starts;
    this.#timeline.after(spread(this.#rng, secondMs, 6 * hourMs), () => {
      if (start === this.#starts) this.setClock();
    });
  }

  /** Somebody sets the wall clock right. */
  setClock(): void {
    if (this.#errorMs === 0) return;
    if (this.#errorMs < 0) this.jumpedAheadMs = this.#timeline.nowMs;
    this.#errorMs = 0;
    this.#note('the wall clock is right');
  }

  /** The latest that the wall clock has shown. */
  get latestMs(): number {
    this.#now();
    return this.#latestMs;
  }

  /**
   * Plans the weather of a world until it is over; `checkpoint` is called now and then where there
   * are any.
   */
  plan(
    { clockJumps, diskLow, checkpoints, chaosMs }: Faults,
    isOver: () => boolean,
    checkpoint: () => void,
  ): void {
    const often = (meanMs: number, task: () => void) => {
      this.#timeline.after(fraction(this.#rng) * 2 * meanMs, () => {
        if (isOver()) return;
        task();
        often(meanMs, task);
      });
    };
    if (clockJumps) often(chaosMs / 4, () => this.#jump());
    if (diskLow) often(chaosMs / 4, () => this.#fillDisk());
    if (checkpoints) often(chaosMs / 8, checkpoint);
  }

  #jump(): void {
    const ahead = coin(this.#rng, 0.6);
    const jumpMs = ahead ? span(this.#rng, 100, 13 * hourMs) : -span(this.#rng, 100, 3 * hourMs);
    if (this.#wallOffsetMs + jumpMs > aheadMaxMs) return;
    this.#wallOffsetMs += jumpMs;
    if (ahead) this.jumpedAheadMs = this.#timeline.nowMs;
    this.#note(`the wall clock jumps by ${Math.round(jumpMs)}`);
  }

  #fillDisk(): void {
    this.diskLow = true;
    this.diskFull = this.#fillings++ % 2 === 1;
    this.#note(this.diskFull ? 'the disk is full' : 'the disk is nearly full');
    this.#timeline.after(span(this.#rng, 1_000, 20 * minuteMs), () => {
      this.diskLow = false;
      this.diskFull = false;
      this.#note('the disk has room');
    });
  }

  #now(): number {
    const nowMs = Math.floor(this.trueMs + this.#wallOffsetMs + this.#errorMs);
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    return nowMs;
  }
}

/** Whole milliseconds: seconds as often as days. */
function spread(rng: Rng, fromMs: number, toMs: number): number {
  return Math.floor(fromMs * (toMs / fromMs) ** fraction(rng));
}
