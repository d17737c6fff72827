// How many turns an occurrence handed out in each recent second: its speed, and what its throttle
// has left. A fold, so a restart continues from it. A window of 60 s touches 61 whole seconds.

import { type Millis, secondMs } from '../../../engine/base/brand.ts';

const secondsKept = 61;
const secondsShown = 10;

/** The newest second with a count, and the counts from it backwards. */
export type RateMeterSnapshot = readonly [newest: number, counts: readonly number[]];

export class RateMeter {
  #newest = 0;
  #counts: number[] = [];

  count(people: number, atMs: Millis): void {
    this.#turnTo(atMs);
    this.#counts[0] = (this.#counts[0] ?? 0) + people;
  }

  /** Average of the last ten seconds, or of the time since the start if shorter. */
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

  /** What was handed out less than a minute before any instant of `second`. */
  inMinuteOf(second: number): number {
    let sum = 0;
    for (let i = 0; i < this.#counts.length && second - this.#newest + i < secondsKept; i++)
      sum += this.#counts[i] as number;
    return sum;
  }

  inSecond(second: number): number {
    return this.#counts[this.#newest - second] ?? 0;
  }

  clear(): void {
    this.#newest = 0;
    this.#counts = [];
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
