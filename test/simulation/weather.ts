// What happens to the machine while faults are on: its wall clock jumps, its disk fills up.

import { hourMs, minuteMs } from '../../engine/base/brand.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { coin, span } from './chance.ts';
import type { Faults } from './faults.ts';
import type { Timeline } from './timeline.ts';

const founded = Date.UTC(2026, 0, 31, 21); // three hours before a month ends
/** A day and a half in all: rows of sends must not reach the end of their retention. */
const aheadMaxMs = 36 * hourMs;

/** The machine's clock and disk. */
export class Weather {
  /** The clock as every thread of the machine reads it. */
  readonly clock: Clock;
  /** The disk is nearly full. */
  diskLow = false;
  /** When the wall clock last jumped ahead. */
  jumpedAheadMs = Number.NEGATIVE_INFINITY;
  readonly #timeline: Timeline;
  readonly #rng: Rng;
  readonly #note: (text: string) => void;
  #wallOffsetMs = 0;
  #latestMs = 0;

  constructor(timeline: Timeline, rng: Rng, note: (text: string) => void) {
    this.#timeline = timeline;
    this.#rng = rng;
    this.#note = note;
    this.clock = { now: () => this.#now(), monotonic: () => timeline.nowMs };
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
    this.#note('the disk is nearly full');
    this.#timeline.after(span(this.#rng, 1_000, 20 * minuteMs), () => {
      this.diskLow = false;
      this.#note('the disk has room');
    });
  }

  #now(): number {
    const nowMs = Math.floor(founded + this.#timeline.nowMs + this.#wallOffsetMs);
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    return nowMs;
  }
}
