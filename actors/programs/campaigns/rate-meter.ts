// What an occurrence handed out in each of the last seconds: how fast it goes, and what its
// throttle has left. A fold, so that a restart goes on from it. A window of so many seconds touches
// one more of them than it is long.

import { type Millis, secondMs } from '../../../engine/base/brand.ts';

/** A minute, wherever it begins. */
const secondsKept = 61;
const secondsShown = 10;

/**
 * The newest second, and the counts of it and those before it, up to the last in which something
 * was handed out.
 */
export type RateMeterSnapshot = readonly [newest: number, counts: readonly number[]];

export class RateMeter {
  #newest = 0;
  #counts: number[] = [];

  count(people: number, atMs: Millis): void {
    this.#turnTo(atMs);
    this.#counts[0] = (this.#counts[0] ?? 0) + people;
  }

  /** Over the last ten seconds, or as many as there were. */
  perSecond(nowMs: Millis, startedMs: Millis): number {
    const second = Math.floor(nowMs / secondMs);
    const gone = second - this.#newest;
    let sum = 0;
    for (let i = 0; i + gone < secondsShown && i < this.#counts.length; i++)
      sum += this.#counts[i] as number;
    const lasted = Math.max(
      1,
      Math.min(secondsShown, second - Math.floor(startedMs / secondMs) + 1),
    );
    return sum / lasted;
  }

  /**
   * What was handed out within less than a minute of any instant of a second, after which nothing
   * was.
   */
  inMinuteOf(second: number): number {
    let sum = 0;
    for (let i = 0; i < this.#counts.length && second - this.#newest + i < secondsKept; i++)
      sum += this.#counts[i] as number;
    return sum;
  }

  inSecond(second: number): number {
    return this.#counts[this.#newest - second] ?? 0;
  }

  snapshot(): RateMeterSnapshot {
    return [this.#newest, [...this.#counts]];
  }

  static restore([newest, counts]: RateMeterSnapshot): RateMeter {
    const meter = new RateMeter();
    meter.#newest = newest;
    meter.#counts = [...counts];
    return meter;
  }

  #turnTo(atMs: Millis): void {
    const second = Math.floor(atMs / secondMs);
    const gone = Math.min(secondsKept, Math.max(0, second - this.#newest));
    for (let i = 0; i < gone; i++) this.#counts.unshift(0);
    this.#counts.length = Math.min(this.#counts.length, secondsKept);
    this.#newest = Math.max(this.#newest, second);
  }
}
