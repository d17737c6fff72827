// How fast an occurrence goes: what was handed out in each of the last seconds. A fold, so that a restart goes on from it.

import { type Millis, secondMs } from '../../engine/base/brand.ts';

const seconds = 10;

/** The newest second, and the counts of it and those before it. */
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
    for (let i = 0; i + gone < seconds && i < this.#counts.length; i++)
      sum += this.#counts[i] as number;
    const lasted = Math.max(1, Math.min(seconds, second - Math.floor(startedMs / secondMs) + 1));
    return sum / lasted;
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
    const gone = Math.min(seconds, Math.max(0, second - this.#newest));
    for (let i = 0; i < gone; i++) this.#counts.unshift(0);
    this.#counts.length = Math.min(this.#counts.length, seconds);
    this.#newest = Math.max(this.#newest, second);
  }
}
